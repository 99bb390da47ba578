import Foundation
import SteplineTesting

/// The loopback server in a process of its own, so that its work and memory don't count.
final class NetworkServer {
    private let process = Process()
    private let input = Pipe()
    private let base: String

    init() throws {
        let output = Pipe()
        process.executableURL = URL(filePath: CommandLine.arguments[0])
        process.arguments = ["--child", "serve"]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        base = line.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    func url(_ path: String) -> URL {
        URL(string: base + path) ?? URL(filePath: "/")
    }

    /// In the process of its own: serves until its input is closed.
    static func serve() throws {
        let server = try LoopbackServer()
        server.route("/small", .text("{\"city\": \"Oslo\", \"degrees\": -3}", type: "application/json"))
        server.route("/large", .pattern(count: LargeBody.size))
        server.route("/sink") { .text("\($0.bodyCount)") }
        let body = Data(catalogue(size: StreamedRecords.size))
        server.route("/catalogue", .data(body, type: "application/xml"))
        // The rest of it comes when it is asked for.
        let gate = Gate()
        let start = body.count / StreamedRecords.heldShare
        server.route("/held", .data(body, type: "application/xml").fault(.hold(after: start, gate)))
        server.route("/rest") { _ in
            gate.open()
            return .status(204)
        }
        say(server.url().absoluteString.trimmingCharacters(in: ["/"]))
        _ = FileHandle.standardInput.readDataToEndOfFile()
        server.stop()
    }
}

/// Runs an async body on this thread's time.
func runBlocking(_ body: @escaping @Sendable () async throws -> Void) {
    let latch = Latch()
    latch.enter()
    Task {
        do {
            try await body()
        } catch {
            say("failed: \(error)")
        }
        latch.leave()
    }
    latch.wait()
}
