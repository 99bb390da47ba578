import Foundation
import SteplineTesting
import TestSupport
import Testing

/// The status line and Ctrl-C, in a pseudo-terminal.
@Suite("A terminal", .timeLimit(.minutes(5)))
struct TerminalTests {
    private let server: LoopbackServer
    private let gate = Gate()

    init() throws {
        server = try LoopbackServer()
        server.route("/held", .pattern(count: 1_000_000).fault(.hold(after: 500_000, gate)))
        server.route("/short", .pattern(count: 1000).fault(.hold(after: 500, gate)))
        server.route("/text", .text("some text\n"))
        server.route("/bare", .text("no line break"))
        server.route("/bad", .status(404))
    }

    private func address(_ path: String) -> String { server.url(path).absoluteString }

    @Test("the status line names a running task with its step and the bytes; the summary stays at the end")
    func live() async throws {
        let folder = try TemporaryFolder()
        let terminal = try Terminal(["fetch", address("/held"), "-o", folder.url.appending(path: "f").path])
        #expect(await terminal.waits(for: "0 of 1 done, 500 kB"))
        #expect(terminal.text.contains("/held") && terminal.text.contains("download"))
        #expect(terminal.text.contains("\u{1B}[32m"))
        gate.open()
        #expect(await terminal.exitCode() == 0)
        #expect(await terminal.waits(for: "1 of 1 done in "))
        #expect(await terminal.waits(for: "1.0 MB at "))
        #expect(try folder.names() == ["f"])
    }

    @Test("output, failures and retries stay above the status line")
    func output() async throws {
        server.route("/flaky", inTurn: [.status(503), .text("at last\n")])
        let terminal = try Terminal([
            "fetch", address("/text"), address("/bad"), address("/bare"), address("/short"),
            address("/flaky"),
            "--retries", "1",
        ])
        for text in [
            "some text\r\n", "no line break\r\n", "/bad: status 404\r\n", "/flaky: load is tried again in ",
            "3 of 5 done, 1 failed",
        ] {
            #expect(await terminal.waits(for: text), "\(text)")
        }
        gate.open()
        #expect(await terminal.exitCode() == 1)
        #expect(await terminal.waits(for: "4 of 5 done, 1 failed in "))
    }

    @Test(
        "NO_COLOR and --no-color are honoured, --color is stronger",
        arguments: [
            (["NO_COLOR": "1"], [], false), (["NO_COLOR": ""], [], true), ([:], ["--no-color"], false),
            (["NO_COLOR": "1"], ["--color"], true),
        ] as [([String: String], [String], Bool)])
    func colors(environment: [String: String], options: [String], expected: Bool) async throws {
        let folder = try TemporaryFolder()
        let terminal = try Terminal(
            ["fetch", address("/held"), "-o", folder.url.path] + options, environment: environment)
        #expect(await terminal.waits(for: "0 of 1 done"))
        gate.open()
        #expect(await terminal.exitCode() == 0)
        #expect(terminal.text.contains("\u{1B}[32m") == expected)
    }

    @Test(
        "nothing is told with --quiet, on a dumb terminal neither, nor where stderr is none",
        arguments: [[:], ["TERM": "dumb"]] as [[String: String]])
    func quiet(environment: [String: String]) async throws {
        let terminal = try Terminal(
            ["fetch", address("/text"), address("/short"), "--quiet"], environment: environment)
        await server.waitForRequests(2)
        #expect(await terminal.waits(for: "some text\r\n"))
        gate.open()
        #expect(await terminal.exitCode() == 0)
        #expect(!terminal.text.contains("\u{1B}[") && !terminal.text.contains("done"))
        let piped = try await Command.run(["fetch", address("/text")], environment: ["TERM": "xterm"])
        #expect(piped.errors.isEmpty && piped.output == "some text\n")
    }

    @Test("Ctrl-C stops the transfers, removes what was half there, and gives exit code 130")
    func interrupt() async throws {
        let folder = try TemporaryFolder()
        let terminal = try Terminal(
            ["fetch", address("/held"), address("/text"), address("/held"), "-o", folder.url.path + "/"])
        #expect(await terminal.waits(for: "1 of 3 done"))
        #expect(await terminal.waits(for: ", 1.0 MB, "))
        await server.waitForRequests(3)
        #expect(try folder.names().count == 3)
        terminal.type("\u{03}")
        #expect(await terminal.exitCode() == 130)
        #expect(await terminal.waits(for: "1 of 3 done, 2 cancelled in "))
        #expect(await terminal.waits(for: "stepline: interrupted\r\n"))
        #expect(try folder.names() == ["text"])
        // The peers have seen it, though nobody has let them go on.
        gate.open()
        await server.waitForClosedConnections(server.connectionCount)
    }

    private func isReadable(_ descriptor: Int32) async -> Bool {
        await withCheckedContinuation { done in
            DispatchQueue.global().async {
                var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                done.resume(returning: poll(&request, 1, 60_000) == 1)
            }
        }
    }

    @Test("a second Ctrl-C ends at once")
    func secondInterrupt() async throws {
        let folder = try TemporaryFolder()
        let fifo = folder.url.appending(path: "fifo").path
        try #require(mkfifo(fifo, 0o600) == 0)
        // A body that can't be stopped: stdout is a pipe that is full, and that nobody reads.
        let reader = open(fifo, O_RDONLY | O_NONBLOCK)
        try #require(reader >= 0)
        defer { close(reader) }
        server.route("/large", .pattern(count: 4 << 20))
        let terminal = try Terminal(["fetch", address("/large")], output: fifo)
        // A write larger than a pipe blocks.
        #expect(await isReadable(reader))
        terminal.type("\u{03}")
        #expect(await terminal.waits(for: "stopping (again to end at once)"))
        terminal.type("\u{03}")
        #expect(await terminal.exitCode() == 130)
        #expect(!terminal.text.contains("interrupted"))
    }

    @Test(
        "SIGTERM and SIGQUIT are heard too, also where there is no terminal", arguments: [SIGTERM, SIGQUIT])
    func terminate(_ number: Int32) async throws {
        let folder = try TemporaryFolder()
        let terminal = try Terminal(["fetch", address("/held"), "-q", "-o", folder.url.path + "/"])
        await server.waitForRequests(1)
        terminal.send(number)
        #expect(await terminal.exitCode() == 128 + number)
        #expect(try folder.names().isEmpty)
    }
}
