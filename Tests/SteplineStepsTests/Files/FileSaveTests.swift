import Foundation
import Stepline
import SteplineTesting
import TestSupport
import Testing

@Suite("Saving files", .timeLimit(.minutes(5)))
struct FileSaveTests {
    private let folder: TemporaryFolder
    private let new = Data("new".utf8)

    init() throws { folder = try TemporaryFolder() }

    @Test("PL-70: writes bodyData and passes the same data on", arguments: [true, false])
    func passesOn(isAtomic: Bool) async throws {
        var options = FileSaveOptions()
        options.isAtomic = isAtomic
        let bytes = Data(repeating: 7, count: 9_000_000) + Data([1, 2, 3])
        let pipeline = Pipeline("save") {
            BlockStep { bytes }
            FileSaveStep(folder["a"], options: options)
            BlockStep { (data: Data) in data.count }
        }
        #expect(try await pipeline.run() == bytes.count)
        #expect(pipeline.content?.bodyData == bytes)
        #expect(folder["a"].bytes == bytes)
        #expect(try folder.names() == ["a"])
    }

    @Test("PL-70: makes missing directories on all levels, unless told not to", arguments: [true, false])
    func directories(isAtomic: Bool) async throws {
        let deep = folder.url.appending(path: "one/two/three/four/a")
        #expect(await save(new, to: deep) { $0.isAtomic = isAtomic }.isSuccess)
        #expect(deep.bytes == new)
        let other = folder.url.appending(path: "none/a")
        let outcome = await save(new, to: other) {
            $0.isAtomic = isAtomic
            $0.createsDirectories = false
        }
        #expect(outcome.fileError?.systemCode == .ENOENT)
        #expect(try folder.names() == ["one"])
    }

    @Test("PL-70: many savers into one new directory tree all succeed")
    func directoriesAtOnce() async throws {
        let folder = folder
        let new = new
        await withTaskGroup(of: Bool.self) { group in
            for index in 0..<20 {
                group.addTask { await save(new, to: folder.url.appending(path: "x/y/z/\(index)")).isSuccess }
            }
            for await isSuccess in group { #expect(isSuccess) }
        }
        let made = try FileManager.default.contentsOfDirectory(atPath: folder["x/y/z"].path)
        #expect(made.count == 20)
    }

    @Test("PL-70: data, also empty, makes a file, or replaces a longer one", arguments: [true, false])
    func replaces(isAtomic: Bool) async throws {
        for data in [new, Data()] {
            let old = try folder.file("old", Data(count: 1000))
            for file in [folder["\(data.count)"], old] {
                #expect(await save(data, to: file) { $0.isAtomic = isAtomic }.isSuccess)
                #expect(file.bytes == data)
            }
        }
        #expect(try folder.names() == ["0", "3", "old"])
    }

    @Test("PL-70: missing input fails, at the check or at the run, and touches no file")
    func missingInput() async throws {
        let file = try folder.file("a")
        let pipeline = Pipeline { FileSaveStep(file) }
        #expect(pipeline.check().map(\.code) == [.missingInput])
        let alone = FileSaveStep(file)
        alone.start()
        #expect((alone.error as? PipelineError)?.code == .missingInput)
        #expect(file.bytes == Data("old".utf8))
    }

    @Test("PL-8: a save works alone as an operation too")
    func alone() throws {
        let step = FileSaveStep(folder["a"])
        step.content.bodyData = new
        step.start()
        #expect(step.isFinished)
        #expect(step.error == nil)
        #expect(folder["a"].bytes == new)
        let load = FileLoadStep(folder["a"])
        load.start()
        #expect(load.content.bodyData == new)
    }

    @Test(
        "PL-71, PL-72: a directory in the file's place and a name too long fail, and leave no temporary file",
        arguments: [true, false])
    func directory(isAtomic: Bool) async throws {
        try FileManager.default.createDirectory(at: folder["d"], withIntermediateDirectories: true)
        let error = await save(new, to: folder["d"]) { $0.isAtomic = isAtomic }.fileError
        #expect(error?.code == .notRegular && error?.path == folder["d"].path)
        let long = folder[String(repeating: "n", count: 300)]
        #expect(await save(new, to: long) { $0.isAtomic = isAtomic }.fileError?.systemCode == .ENAMETOOLONG)
        #expect(try folder.names() == ["d"])
    }

    @Test("PL-71: a file in a directory's place, and a pipe in the file's", arguments: [true, false])
    func wrongKinds(isAtomic: Bool) async throws {
        let file = try folder.file("f")
        let inside = await save(new, to: file.appending(path: "deep/a")) { $0.isAtomic = isAtomic }.fileError
        #expect(inside?.systemCode == .ENOTDIR)
        #expect(file.bytes == Data("old".utf8))
        try #require(mkfifo(folder["pipe"].path, 0o600) == 0)
        let pipe = await save(new, to: folder["pipe"]) { $0.isAtomic = isAtomic }.fileError
        #expect(pipe?.code == .notRegular)
    }

    @Test("PL-71: a directory without rights fails the step with path and system error")
    func rights() async throws {
        let locked = folder["locked"]
        try FileManager.default.createDirectory(at: locked, withIntermediateDirectories: true)
        chmod(locked.path, 0o500)
        defer { chmod(locked.path, 0o700) }
        let outcome = await save(new, to: locked.appending(path: "a"))
        // The superuser is refused nothing.
        if geteuid() == 0 {
            #expect(outcome.isSuccess)
        } else {
            #expect(outcome.fileError?.systemCode == .EACCES)
            #expect(outcome.fileError?.path.hasPrefix(locked.path) == true)
        }
    }

    #if os(Linux)
        @Test("PL-71: where no file can be made, whoever asks, the step fails with path and system error")
        func proc() async throws {
            let error = await save(new, to: URL(filePath: "/proc/stepline-test/a")).fileError
            #expect(error?.code == .system)
            #expect(error?.systemCode != nil)
            #expect(error?.path.hasPrefix("/proc/stepline-test") == true)
            #expect(await save(new, to: URL(filePath: "/dev/full")).fileError?.code == .notRegular)
            let device = await save(new, to: URL(filePath: "/dev/full")) { $0.isAtomic = false }
            #expect(device.fileError?.code == .notRegular)
        }
    #endif

    @Test("PL-71: success means that the file is there, whole, with any sync", arguments: [true, false])
    func sync(isAtomic: Bool) async throws {
        for sync in [FileSaveOptions.Sync.none, .file, .fileAndDirectory] {
            let file = folder["\(sync)"]
            let outcome = await save(Data(count: 5_000_000), to: file) {
                $0.sync = sync
                $0.isAtomic = isAtomic
            }
            #expect(outcome.isSuccess)
            #expect(file.bytes == Data(count: 5_000_000))
        }
    }

    @Test("PL-12: a save's copy keeps URL and options")
    func copy() async throws {
        let file = try folder.file("a")
        var options = FileSaveOptions()
        options.replaces = false
        var content = Content()
        content.bodyData = new
        let step = FileSaveStep(file, options: options)
        let pipeline = Pipeline("save", content: content) { step.named("save") }
        let copy = try pipeline.copy()
        #expect(copy.steps.first?.options.name == "save")
        try copy.start()
        #expect(await copy.outcome().fileError?.code == .exists)
    }
}
