import Foundation
import SteplineSupport
import SteplineTesting
import TestProcesses
import TestSupport
import Testing

@Suite("fetch: killed", .timeLimit(.minutes(5)))
struct FetchKilledTests {
    let server: LoopbackServer
    let folder: TemporaryFolder

    init() throws {
        server = try LoopbackServer()
        folder = try TemporaryFolder()
    }

    private var temporary: Set<String> {
        get throws { Set(try folder.names(in: "out").filter { $0.hasPrefix(".stepline-") }) }
    }

    /// A fetch of a path that stops in the middle of its file; returns once the file is there.
    private func started(_ path: String, _ gate: Gate) async throws -> (process: Process, file: String) {
        let known = (try? temporary) ?? []
        server.route(path, LoopbackResponse.pattern(count: 2_000_000).fault(.hold(after: 1_000_000, gate)))
        let process = Process()
        process.executableURL = try Command.executable()
        process.arguments = ["fetch", "-o", "out/", "--retries", "0", server.url(path).absoluteString]
        process.currentDirectoryURL = folder.url
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try TestProcess.start(process)
        var new: String?
        await eventually("no file is begun") {
            // The command makes the folder, too.
            new = (try? temporary)?.subtracting(known).first
            return new != nil
        }
        return (process, try #require(new))
    }

    private func ended(_ process: Process) async {
        let end = OneShot<Void>()
        process.terminationHandler = { _ in end.fulfill(()) }
        if !process.isRunning { end.fulfill(()) }
        await end.value
    }

    @Test("row 6: files left by a killed process are removed by the next one, those of a live process aren't")
    func killed() async throws {
        let (never, later) = (Gate(), Gate())
        let dead = try await started("/dead", never)
        let living = try await started("/living", later)
        kill(dead.process.processIdentifier, SIGKILL)
        await ended(dead.process)
        #expect(try temporary == [dead.file, living.file])
        server.route("/a", .text("a"))
        let result = try await Command.run(
            ["fetch", "-o", "out/", server.url("/a").absoluteString], in: folder.url)
        #expect(result.status == 0, "\(result.errors)")
        #expect(try temporary == [living.file])
        later.open()
        await ended(living.process)
        #expect(living.process.terminationStatus == 0)
        #expect(try folder.names(in: "out") == ["a", "living"])
        #expect(try Data(contentsOf: folder.url.appending(path: "out/living")) == pattern(2_000_000))
        never.open()
    }
}
