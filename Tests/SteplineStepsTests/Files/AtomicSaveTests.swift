import Foundation
import Stepline
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

@Suite("Atomic saving", .timeLimit(.minutes(5)))
struct AtomicSaveTests {
    private let folder: TemporaryFolder
    private let old = Data("old".utf8)
    private let new = Data("new".utf8)

    init() throws { folder = try TemporaryFolder() }

    @Test("PL-72: the defaults: atomic, directories made, an old file replaced, no sync")
    func defaults() {
        let options = FileSaveOptions()
        #expect(options.isAtomic && options.createsDirectories && options.replaces && options.sync == .none)
    }

    @Test("PL-72: an open reader continues to read the whole old file")
    func openReader() async throws {
        let file = try folder.file("a", Data(repeating: 1, count: 3_000_000))
        let reader = try FileHandle(forReadingFrom: file)
        #expect(try reader.read(upToCount: 1000) == Data(repeating: 1, count: 1000))
        #expect(await save(Data(repeating: 2, count: 10), to: file).isSuccess)
        #expect(try reader.readToEnd() == Data(repeating: 1, count: 2_999_000))
        #expect(file.bytes == Data(repeating: 2, count: 10))
    }

    @Test("PL-72: a concurrent reader sees the old or the new file, never half of one")
    func readers() async throws {
        let file = try folder.file("a", Data(repeating: 0, count: 200_000))
        let isDone = Gate(), isWhole = OneShot<Bool>()
        // The reader has a thread of its own, so that it never waits for one that a saver has.
        Thread.detachNewThread {
            var areWhole = true
            repeat {
                let bytes = file.bytes ?? Data()
                areWhole = areWhole && bytes == Data(repeating: bytes.first ?? 0, count: 200_000)
            } while !isDone.isOpen
            isWhole.fulfill(areWhole)
        }
        for round in 1...30 {
            #expect(await save(Data(repeating: UInt8(round), count: 200_000), to: file).isSuccess)
        }
        isDone.open()
        #expect(await isWhole.value)
    }

    @Test("PL-72: of many savers at once one wins, whole, and no temporary file is left")
    func savers() async throws {
        let folder = folder
        await withTaskGroup(of: Bool.self) { group in
            for index in 0..<20 {
                let bytes = Data(repeating: UInt8(index), count: 100_000 + index)
                group.addTask { await save(bytes, to: folder["a"]).isSuccess }
            }
            for await isSuccess in group { #expect(isSuccess) }
        }
        let bytes = try #require(folder["a"].bytes)
        #expect(Set(bytes).count == 1)
        #expect(bytes.count == 100_000 + Int(bytes.first ?? 0))
        #expect(try folder.names() == ["a"])
    }

    @Test("PL-72: links are followed, over several, and stay links", arguments: [true, false])
    func links(isAtomic: Bool) async throws {
        try FileManager.default.createDirectory(at: folder["sub"], withIntermediateDirectories: true)
        let file = try folder.file("sub/real")
        let path = { (name: String) in self.folder[name].path }
        try FileManager.default.createSymbolicLink(atPath: path("sub/near"), withDestinationPath: "real")
        try FileManager.default.createSymbolicLink(atPath: path("far"), withDestinationPath: "sub/near")
        #expect(await save(new, to: folder["far"]) { $0.isAtomic = isAtomic }.isSuccess)
        #expect(file.bytes == new)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path("far")) == "sub/near")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path("sub/near")) == "real")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: path("sub")).sorted() == ["near", "real"])
        try FileManager.default.createSymbolicLink(atPath: path("new"), withDestinationPath: "sub/fresh")
        #expect(await save(new, to: folder["new"]) { $0.isAtomic = isAtomic }.isSuccess)
        #expect(folder["sub/fresh"].bytes == new)
        try FileManager.default.createSymbolicLink(atPath: path("loop"), withDestinationPath: "loop")
        #expect(
            await save(new, to: folder["loop"]) { $0.isAtomic = isAtomic }.fileError?.systemCode == .ELOOP)
    }

    @Test("PL-72: a name may begin with a mark, in a folder that is made", arguments: [true, false])
    func marks(isAtomic: Bool) async throws {
        for name in ["\u{301}a", "new/\u{301}a", "\u{600}/b"] {
            #expect(await save(new, to: folder[name]) { $0.isAtomic = isAtomic }.isSuccess, "\(name)")
            #expect(folder[name].bytes == new, "\(name)")
        }
        let path = { (name: String) in self.folder[name].path }
        try FileManager.default.createSymbolicLink(
            atPath: path("new/\u{301}link"), withDestinationPath: "\u{301}a")
        #expect(await save(old, to: folder["new/\u{301}link"]) { $0.isAtomic = isAtomic }.isSuccess)
        #expect(folder["new/\u{301}a"].bytes == old)
    }

    @Test("PL-72: an existing file's mode is kept", arguments: [0o600, 0o644, 0o640, 0o755, 0o400])
    func mode(_ mode: Int) async throws {
        for isAtomic in [true, false] {
            let file = try folder.file("a\(isAtomic)")
            chmod(file.path, mode_t(mode))
            let outcome = await save(new, to: file) { $0.isAtomic = isAtomic }
            // Without a new file beside it, one that its owner may not write can't be written to.
            if !isAtomic, mode & 0o200 == 0, geteuid() != 0 { continue }
            #expect(outcome.isSuccess)
            #expect(file.mode == mode)
            #expect(file.bytes == new)
        }
    }

    @Test("PL-72: a new file has the mode that the system gives new files")
    func newMode() async throws {
        let usual = folder["usual"]
        let descriptor = open(usual.path, O_CREAT | O_WRONLY, 0o666)
        close(descriptor)
        #expect(await save(new, to: folder["a"]).isSuccess)
        #expect(folder["a"].mode == usual.mode)
    }

    @Test("PL-72: without replaces an existing file is .exists and stays", arguments: [true, false])
    func exists(isAtomic: Bool) async throws {
        let file = try folder.file("a")
        let outcome = await save(new, to: file) {
            $0.isAtomic = isAtomic
            $0.replaces = false
        }
        #expect(outcome.fileError?.code == .exists)
        #expect(outcome.fileError?.path == file.path)
        #expect(file.bytes == old)
        #expect(try folder.names() == ["a"])
        let fresh = await save(new, to: folder["b"]) {
            $0.isAtomic = isAtomic
            $0.replaces = false
        }
        #expect(fresh.isSuccess)
        #expect(folder["b"].bytes == new)
        #expect(try folder.names() == ["a", "b"])
    }

    @Test("PL-72: without a race: of many savers exactly one wins, whole", arguments: [true, false])
    func existsRace(isAtomic: Bool) async throws {
        let folder = folder
        for round in 0..<10 {
            let codes = await withTaskGroup(of: FileError.Code?.self) { group in
                for index in 0..<10 {
                    group.addTask {
                        await save(Data(repeating: UInt8(index), count: 50_000), to: folder["\(round)"]) {
                            $0.isAtomic = isAtomic
                            $0.replaces = false
                        }.fileError?.code
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes.filter { $0 == nil }.count == 1)
            #expect(codes.filter { $0 == .exists }.count == 9)
            let bytes = folder["\(round)"].bytes ?? Data()
            #expect(bytes.count == 50_000)
            #expect(Set(bytes).count == 1)
        }
        #expect(try folder.names().count == 10)
    }
}
