import Foundation
import Stepline
import SteplineTesting
import TestSupport
import Testing

/// Saves that are cut off in the middle: by a cancellation, a full disk, the end of the process.
///
/// A test that changes limits or dies runs in a process of its own (an exit test).
@Suite("Interrupted saving", .timeLimit(.minutes(5)), .serialized)
struct InterruptedSaveTests {
    @Test("PL-72: cancelling in the middle leaves the old file and no temporary one")
    func cancellation() async throws {
        // A loaded machine may notice the write only when it is in place: then there was nothing to cancel.
        for _ in 0..<20 {
            let folder = try TemporaryFolder()
            let file = try folder.file("a")
            var content = Content()
            content.bodyData = Data(count: 64 << 20)
            let pipeline = Pipeline("save", content: content) { FileSaveStep(file) }
            try pipeline.start()
            whenTemporaryShows(in: folder.url.path, unless: { pipeline.isFinished }) { pipeline.cancel() }
            guard await pipeline.outcome().isCancellation, file.bytes == Data("old".utf8) else {
                #expect(file.bytes?.count == 64 << 20)
                continue
            }
            #expect(try folder.names() == ["a"])
            return
        }
        Issue.record("no save was caught in the middle")
    }

    #if os(Linux)
        @Test("PL-71, PL-72: a full disk fails the step with path and system error, and leaves the old file")
        func fullDisk() async {
            await #expect(processExitsWith: .success) {
                let folder = try TemporaryFolder()
                let file = try folder.file("a")
                // The system's limit for files acts as a full disk: the write stops in the middle.
                signal(SIGXFSZ, SIG_IGN)
                var limit = rlimit(rlim_cur: 1 << 20, rlim_max: 1 << 20)
                try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
                for isAtomic in [true, false] {
                    let target = isAtomic ? file : folder["new"]
                    let outcome = await save(Data(count: 6 << 20), to: target) { $0.isAtomic = isAtomic }
                    #expect(outcome.fileError?.code == .system)
                    #expect(outcome.fileError?.systemCode == .EFBIG)
                    #expect(outcome.fileError?.path.hasPrefix(folder.url.path) == true)
                }
                #expect(file.bytes == Data("old".utf8))
                #expect(try folder.names() == ["a"])
                #expect(await save(Data(count: 1 << 20), to: file).isSuccess)
            }
        }

        @Test("PL-69, PL-71: rights are refused to who isn't the superuser, with path and system error")
        func rights() async {
            await #expect(processExitsWith: .success) {
                let folder = try TemporaryFolder()
                let file = try folder.file("a")
                chmod(file.path, 0)
                chmod(folder.url.path, 0o555)
                if geteuid() == 0 { try #require(seteuid(65534) == 0) }
                #expect(await load(file).fileError?.systemCode == .EACCES)
                for isAtomic in [true, false] {
                    let error = await save(Data("new".utf8), to: file) { $0.isAtomic = isAtomic }.fileError
                    #expect(error?.systemCode == .EACCES)
                    #expect(error?.path.hasPrefix(folder.url.path) == true)
                    let made = await save(Data(), to: folder["sub/a"]) { $0.isAtomic = isAtomic }.fileError
                    #expect(made?.systemCode == .EACCES)
                }
                _ = seteuid(0)
                chmod(folder.url.path, 0o755)
                chmod(file.path, 0o600)
                #expect(file.bytes == Data("old".utf8))
                #expect(try folder.names() == ["a"])
            }
        }

        @Test("PL-72: when the process is killed in the middle, the file is the old or the new one")
        func killed() async throws {
            let folder = killFolder(of: getpid())
            for round in 0..<3 {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                defer { try? FileManager.default.removeItem(at: folder) }
                let file = folder.appending(path: "a")
                try Data("old".utf8).write(to: file)
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    let folder = killFolder(of: getppid())
                    whenTemporaryShows(in: folder.path, unless: { false }) { kill(getpid(), SIGKILL) }
                    _ = await save(Data(repeating: 1, count: 32 << 20), to: folder.appending(path: "a"))
                    kill(getpid(), SIGKILL)
                }
                let bytes = try #require(file.bytes)
                let isOld = bytes == Data("old".utf8)
                let isNew = bytes == Data(repeating: 1, count: 32 << 20)
                #expect(isOld || isNew, "round \(round): \(bytes.count) bytes")
            }
        }
    #endif
}

/// Where the child of that process saves.
private func killFolder(of parent: pid_t) -> URL {
    FileManager.default.temporaryDirectory.appending(path: "stepline-tests-kill-\(parent)")
}

/// Calls `body` as soon as a directory with one file has another; watched by a thread that does nothing else.
private func whenTemporaryShows(
    in directory: String, unless isOver: @escaping @Sendable () -> Bool,
    _ body: @escaping @Sendable () -> Void
) {
    Thread.detachNewThread {
        while !isOver() {
            let names = try? FileManager.default.contentsOfDirectory(atPath: directory)
            if let names, names.count > 1 { return body() }
        }
    }
}
