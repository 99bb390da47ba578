import Foundation
import Stepline
import SteplineTesting
import TestSupport
import Testing

@Suite("Loading files", .timeLimit(.minutes(5)))
struct FileLoadTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("PL-68: reads the whole file into bodyData", arguments: [0, 1, 65536, 65537, 1_000_001])
    func whole(size: Int) async throws {
        let bytes = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let file = try folder.file("a", bytes)
        let pipeline = Pipeline { FileLoadStep(file) }
        #expect(try await pipeline.run() == bytes)
        #expect(pipeline.content?.names == ["bodyData"])
    }

    @Test("PL-68: at any place of a pipeline; its input is ignored")
    func anywhere() async throws {
        let file = try folder.file("a", Data("new".utf8))
        var content = Content()
        content.bodyData = Data("given".utf8)
        content.bodyObject = 5
        let pipeline = Pipeline("middle", content: content) {
            BlockStep { "text" }
            FileLoadStep(file)
            BlockStep { (data: Data) in data.count }
        }
        #expect(try await pipeline.run() == 3)
        #expect(pipeline.content?.bodyData == Data("new".utf8))
    }

    @Test(
        "PL-68: reading options are honoured, with the same bytes",
        arguments: [Data.ReadingOptions.mappedIfSafe, .alwaysMapped, .uncached, [.mappedIfSafe, .uncached]])
    func options(_ options: Data.ReadingOptions) async throws {
        for size in [0, 10, 300_000, 5_000_000] {
            let bytes = Data(repeating: UInt8(size % 251), count: size)
            let file = try folder.file("a\(size)", bytes)
            #expect(await load(file, options: options).data == bytes)
        }
    }

    #if os(Linux)
        @Test("PL-68: a mapped file's bytes are pages of the file, those that are read are not")
        func mapped() async throws {
            let size = 1 << 20
            for (options, byte): (Data.ReadingOptions, UInt8) in [
                ([], 1), (.mappedIfSafe, 2), (.alwaysMapped, 2),
            ] {
                let file = try folder.file("pages", Data(repeating: 1, count: size))
                let data = try #require(await load(file, options: options).data)
                // Written in place, which shows in pages that the system shares.
                let handle = try FileHandle(forWritingTo: file)
                try handle.write(contentsOf: Data(repeating: 2, count: size))
                try handle.close()
                #expect(data.first == byte && data.last == byte && data.count == size)
            }
        }

        @Test("PL-68: files that report no size are read to their end; the limit holds for them too")
        func sizeless() async throws {
            let file = URL(filePath: "/proc/cpuinfo")
            let data = try #require(await load(file).data)
            #expect(String(decoding: data, as: UTF8.self).contains("processor"))
            #expect(await load(file, options: .alwaysMapped).data?.isEmpty == false)
            #expect(await load(file, limit: 3).fileError?.code == .tooLarge)
        }

        @Test("PL-69: a device is refused, at once")
        func device() async throws {
            for path in ["/dev/zero", "/dev/null", "/dev/full"] {
                #expect(await load(URL(filePath: path)).fileError?.code == .notRegular)
            }
        }
    #endif

    @Test("PL-68: links are followed, and names may hold anything")
    func names() async throws {
        let file = try folder.file("a b%20?#\u{e4}.txt", Data("odd".utf8))
        #expect(await load(file).data == Data("odd".utf8))
        try FileManager.default.createSymbolicLink(at: folder["link"], withDestinationURL: file)
        #expect(await load(folder["link"]).data == Data("odd".utf8))
    }

    @Test(
        "PL-69: anything but a file URL is refused at the check",
        arguments: ["http://example.org/a", "data:,a"])
    func notFile(text: String) async throws {
        let url = try #require(URL(string: text))
        let pipeline = Pipeline { FileLoadStep(url) }
        let issue = try #require(pipeline.check().first)
        #expect(issue.code == .badConfiguration)
        #expect(issue.severity == .error)
        await #expect(throws: PipelineError.self) { try await pipeline.run() }
        let alone = FileLoadStep(url)
        alone.start()
        #expect((alone.error as? FileError)?.code == .notFileURL)
    }

    @Test("PL-69: a directory and a pipe are .notRegular, never a hang")
    func notRegular() async throws {
        try #require(mkfifo(folder["pipe"].path, 0o600) == 0)
        let directory = await load(folder.url).fileError
        let pipe = await load(folder["pipe"]).fileError
        #expect(directory?.code == .notRegular && pipe?.code == .notRegular)
        #expect(pipe?.path == folder["pipe"].path)
    }

    @Test("PL-69: more than the limit is .tooLarge, the limit itself is fine", arguments: [0, 10, 2_000_000])
    func limit(size: Int) async throws {
        let file = try folder.file("limited", Data(count: size))
        #expect(await load(file, limit: size).data?.count == size)
        #expect(await load(file, limit: size - 1).fileError?.code == .tooLarge)
        #expect(await load(file, options: .alwaysMapped, limit: size - 1).fileError?.code == .tooLarge)
    }

    @Test("PL-30, PL-69: a missing file passes the check; the load fails with the system's error and path")
    func missing() async {
        #expect(Pipeline { FileLoadStep(folder["absent"]) }.check().isEmpty)
        let error = await load(folder["absent"]).fileError
        #expect(error?.code == .system && error?.systemCode == .ENOENT)
        #expect(error?.path == folder["absent"].path)
        #expect("\(error.map { "\($0)" } ?? "")".contains("absent"))
    }

    @Test("PL-69: an unreadable file, a loop of links and a name too long are errors")
    func unreadable() async throws {
        try FileManager.default.createSymbolicLink(atPath: folder["loop"].path, withDestinationPath: "loop")
        #expect(await load(folder["loop"]).fileError?.systemCode == .ELOOP)
        let long = String(repeating: "n", count: 300)
        #expect(await load(folder[long]).fileError?.systemCode == .ENAMETOOLONG)
        let file = try folder.file("file")
        #expect(await load(file.appending(path: "inside")).fileError?.systemCode == .ENOTDIR)
        chmod(file.path, 0)
        // The superuser may read everything.
        if geteuid() != 0 { #expect(await load(file).fileError?.systemCode == .EACCES) }
    }

    @Test("PL-12: a load's copy keeps URL, options and limit")
    func copy() async throws {
        let file = try folder.file("a", Data(count: 10))
        let pipeline = Pipeline { FileLoadStep(file, limit: 5).named("load") }
        let copy = try pipeline.copy()
        #expect(copy.steps.first?.options.name == "load")
        try copy.start()
        #expect(await copy.outcome().fileError?.code == .tooLarge)
        #expect(copy.steps.first is FileLoadStep)
    }
}
