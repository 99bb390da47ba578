import Foundation
import SteplineTesting
import TestSupport
import Testing

/// The requests and retries of `stepline fetch`.
@Suite("fetch: requests", .timeLimit(.minutes(5)))
struct FetchRequestTests {
    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer()
        server.route("/echo") { request in
            .text(
                "\(request.method) \(request["X-A"] ?? "-") \(String(decoding: request.body, as: UTF8.self))")
        }
    }

    private func fetch(_ path: String, _ options: String..., input: String = "") async throws -> CommandResult
    {
        try await Command.run(
            ["fetch", server.url(path).absoluteString] + options, input: Data(input.utf8))
    }

    @Test("header lines, method and body are sent; a body goes by POST unless a method is given")
    func sending() async throws {
        #expect(try await fetch("/echo", "-H", "X-A: b: c").output == "GET b: c ")
        #expect(try await fetch("/echo", "-d", "n=1").output == "POST - n=1")
        #expect(server.requests.last?["Content-Type"] == "application/x-www-form-urlencoded")
        #expect(
            try await fetch("/echo", "-X", "put", "--data", "{}", "-H", "content-type: application/json")
                .output
                == "PUT - {}")
        #expect(server.requests.last?["Content-Type"] == "application/json")
        #expect(try await fetch("/echo", "-d", "@-", input: "from stdin").output == "POST - from stdin")
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "body")
        try Data("from a file".utf8).write(to: file)
        #expect(try await fetch("/echo", "-d", "@\(file.path)").output == "POST - from a file")
        #expect(try await fetch("/echo", "--method=DELETE").output == "DELETE - ")
    }

    @Test("header lines are read from a file or stdin, and the error for a wrong one doesn't show it")
    func headerFiles() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "headers").path
        try Data("X-A: hush\r\n\nX-B: 2\n".utf8).write(to: URL(filePath: file))
        #expect(try await fetch("/echo", "-H", "@\(file)").output == "GET hush ")
        #expect(server.requests.last?["X-B"] == "2")
        #expect(try await fetch("/echo", "-H", "@-", input: "X-A: in").output == "GET in ")
        try Data("X-A: 1\nhush-hush\n".utf8).write(to: URL(filePath: file))
        let wrong = try await fetch("/echo", "-H", "@\(file)")
        #expect(wrong.status == 2 && wrong.errors.contains("headers, line 2 is no 'NAME: VALUE'"))
        #expect(!wrong.errors.contains("hush-hush"))
        #expect(try await fetch("/echo", "-H", "@\(file).none").errors.contains("can't be read"))
    }

    @Test("redirects are followed, unless following is disabled")
    func redirects() async throws {
        server.route("/from", .redirect(to: "/echo"))
        #expect(try await fetch("/from").output == "GET - ")
        let refused = try await fetch("/from", "--no-follow")
        #expect(refused.status == 0 && refused.output.isEmpty)
        #expect(server.requests.count == 3)
        #expect(try await fetch("/from", "--no-follow", "--follow").output == "GET - ")
    }

    @Test("a transient failure is retried --retries times, and the message counts the attempts")
    func retrying() async throws {
        server.route("/flaky", inTurn: [.status(503), .text("x").fault(.reset(after: 0)), .text("fine")])
        #expect(try await fetch("/flaky", "--retry-wait", "1ms").output == "fine")
        server.route("/down", .status(503))
        let down = try await fetch("/down", "--retries", "3", "--retry-wait", "1ms")
        #expect(down.status == 1 && down.errors.contains("status 503 (after 4 attempts)"))
        #expect(server.requests.filter { $0.path == "/down" }.count == 4)
        let once = try await fetch("/down", "--retries=0")
        #expect(once.status == 1 && server.requests.filter { $0.path == "/down" }.count == 5)
        // A request that isn't idempotent is not sent twice.
        _ = try await fetch("/down", "-d", "x", "--retry-wait", "1ms")
        #expect(server.requests.filter { $0.path == "/down" }.count == 6)
    }

    @Test("a silent server, a slow one and a too large body end in time, each with its cause")
    func limits() async throws {
        server.route("/silent", .text("").fault(.silence))
        server.route("/drip", .pattern(count: 100_000).fault(.drip(bytes: 1, every: .milliseconds(5))))
        server.route("/large", .pattern(count: 2_000_000))
        let silent = try await fetch("/silent", "--idle-timeout", "100ms", "--retries", "0")
        #expect(silent.status == 1 && silent.complaints.count == 1)
        let dripping = try await fetch("/drip", "--timeout", "300ms", "--retries", "0")
        #expect(dripping.status == 1 && dripping.complaints.count == 1)
        let large = try await fetch("/large", "--max-size", "1M")
        #expect(large.status == 1, "\(large.errors)")
        #expect(large.errors.contains("more than \(1 << 20) bytes; --max-size allows more"))
        #expect(try await fetch("/large", "--max-size", "2M").data.count == 2_000_000)
    }

    @Test("--fail-fast cancels running and waiting loads; without it all others are fetched")
    func failFast() async throws {
        server.route("/bad", .status(404))
        server.route("/held", .text("x").fault(.silence))
        let others = Array(repeating: server.url("/held").absoluteString, count: 5)
        let words = [
            "fetch", "--jobs", "2", server.url("/held").absoluteString, server.url("/bad").absoluteString,
        ]
        let result = try await Command.run(words + others + ["--fail-fast"])
        #expect(result.status == 1)
        #expect(result.complaints.count == 1 && result.errors.contains("status 404"))
        #expect(server.requests.count <= 3)
        let bad = server.url("/bad").absoluteString
        let all = try await Command.run(["fetch", bad, server.url("/echo").absoluteString, bad])
        #expect(all.status == 1 && all.output == "GET - " && all.complaints.count == 2)
    }
}
