import Foundation
import Stepline
import SteplineJSON
import SteplineTesting
import TestProcesses
import TestSupport
import Testing

@Suite("Mirror", .timeLimit(.minutes(5)))
struct MirrorTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "mirror-\(UUID().uuidString)")

    /// A site whose third page hangs when it is asked for the first time.
    private func makeServer() throws -> LoopbackServer {
        let server = try LoopbackServer()
        let links = ["a", "b", "c"].map { "<a href='/page/\($0)'>\($0)</a>" }
        server.route("/", .text("<html><body>" + links.joined() + "</body></html>", type: "text/html"))
        server.route("/page/a", .text("first"))
        server.route("/page/b", .text("second"))
        server.route("/page/c", inTurn: [.text("x").fault(.silence), .text("third")])
        return server
    }

    private func words(_ server: LoopbackServer) throws -> [String] {
        let input = try JSON(members: [
            (key: "site", value: JSON(server.url("/").absoluteString)),
            (key: "folder", value: JSON(folder.appending(path: "copy").path)),
        ])
        return ["run", "--store", store, "--key", "today", "--input", input.description]
    }

    private var store: String { folder.appending(path: "mirror.runs").path }

    /// Runs until all pages but the one that hangs are kept, and sends a signal; the code that it ends with.
    private func start(_ server: LoopbackServer, thenSend number: Int32) async throws -> Int32 {
        let process = Process()
        process.executableURL = try BuiltExample("Mirror").executable
        process.arguments = try words(server)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let ended = AsyncStream<Int32>.makeStream()
        process.terminationHandler = { process in
            ended.continuation.yield(process.terminationStatus)
            ended.continuation.finish()
        }
        try TestProcess.start(process)
        await server.waitForRequests(4)
        try await waitForPages()
        kill(process.processIdentifier, number)
        for await status in ended.stream { return status }
        return -1
    }

    /// Waits until the store has two finished pages, by the program's own listing.
    private func waitForPages() async throws {
        try await eventually {
            let shown = try await BuiltExample("Mirror").run(["runs", "show", "today", "--store", store])
            return shown.output.components(separatedBy: " finished ").count > 3
        }
    }

    @Test("DR-13: after kill -9 a mirror continues with the missing pages, and loads none twice")
    func killed() async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try makeServer()
        #expect(try await start(server, thenSend: SIGKILL) == SIGKILL)
        let shown = try await BuiltExample("Mirror").run(["runs", "show", "today", "--store", store])
        #expect(shown.output.hasPrefix("mirror/today: interrupted"))
        let second = try await BuiltExample("Mirror").run(words(server))
        #expect(second.status == 0, "\(second.errors)")
        #expect(second.output == "mirror/today finished: 3 steps run, 3 kept\n")
        let loads = Dictionary(grouping: server.requests.map(\.target)) { $0 }.mapValues(\.count)
        #expect(loads == ["/": 1, "/page/a": 1, "/page/b": 1, "/page/c": 2])
        let contents = folder.appending(path: "copy/contents.txt")
        let lines = ["_page_a 5", "_page_b 6", "_page_c 5"]
        #expect(try String(contentsOf: contents, encoding: .utf8) == lines.joined(separator: "\n") + "\n")
    }

    @Test("DR-62: Ctrl-C ends a mirror with code 130, and the same command continues with the stored input")
    func interrupted() async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try makeServer()
        #expect(try await start(server, thenSend: SIGINT) == 130)
        let second = try await BuiltExample("Mirror").run(["run", "--store", store, "--key", "today"])
        #expect(second.status == 0, "\(second.errors)")
        #expect(server.requests.count == 5)
    }
}
