import Foundation
import SteplineTesting
import TestSupport
import Testing

/// The status line in terminals of all sizes: it never wraps, and leaves nothing behind.
@Suite("A terminal's size", .timeLimit(.minutes(5)))
struct TerminalSizeTests {
    private let server: LoopbackServer
    private let gate = Gate()

    init() throws {
        server = try LoopbackServer()
        server.route("/held", LoopbackResponse.text("held").fault(.hold(after: 0, gate)))
        server.route("/text", .text("some text\n"))
    }

    private func address(_ path: String) -> String { server.url(path).absoluteString }

    @Test(
        "the status line keeps to a narrow terminal, and to one of a few rows",
        arguments: [(20, 24), (20, 1), (1, 24), (100, 1), (100, 2)])
    func small(columns: Int, rows: Int) async throws {
        let terminal = try Terminal(
            ["fetch", address("/text")] + (0..<6).map { _ in address("/held") }, columns: columns, rows: rows)
        await server.waitForRequests(7)
        #expect(await terminal.waits(for: "some text\r\n"))
        if columns > 1 { #expect(await terminal.waits(for: "1 of 7 done")) }
        gate.open()
        #expect(await terminal.exitCode() == 0)
        var screen = ScreenModel(columns: 1000, rows: rows)
        screen.show(terminal.text)
        #expect(screen.strange == [])
        // Only the summary stays.
        let lines = screen.text.filter { $0 != "some text" && !$0.hasPrefix("held") }
        #expect(lines.count <= 2 && lines.first?.hasPrefix("7 of 7 done in ") == true, "\(screen.text)")
        var narrow = ScreenModel(columns: columns, rows: rows)
        narrow.show(terminal.text)
        #expect(narrow.wrappedFrames == 0)
    }

    @Test("the status line of many tasks fits, also after the window is resized")
    func large() async throws {
        let held = (0..<40).map { "held\($0): {steps: [{load: '\(address("/held"))'}]}" }
        let count = Chance.isSoak ? 10_000 : 1000
        let quick = (0..<count - 40).map { "t\($0): {steps: [{value: \($0)}]}" }
        let flow = try FlowCommandRun(
            "{tasks: {\((held + quick).joined(separator: ","))}}")
        let terminal = try Terminal(
            ["run", flow.folder.url.appending(path: "flow.json5").path, "--jobs", "41"], columns: 80)
        let counts = "\(count - 40) of \(count) done, "
        #expect(await terminal.waits(for: counts))
        let before = terminal.resize(columns: 20, rows: 8)
        let small = counts.prefix(18) + "…"
        #expect(await terminal.waits(for: String(small)))
        gate.open()
        #expect(await terminal.exitCode() == 0)
        var screen = ScreenModel(columns: 80, rows: 24)
        screen.show(before)
        #expect(screen.strange == [] && screen.wrappedFrames == 0)
        let begin = try #require(terminal.text.range(of: small))
        var narrow = ScreenModel(columns: 20, rows: 8)
        narrow.show(String(terminal.text[begin.lowerBound...]))
        #expect(narrow.strange == [] && narrow.wrappedFrames == 0)
        #expect(terminal.text.contains("\(count) of \(count) done in "))
    }

    @Test(
        "a dumb terminal, and a user who wants it, gets lines and no movement",
        arguments: [
            (["TERM": "dumb"], []), (["TERM": ""], []), ([:], ["--plain"]), ([:], ["--log-format", "text"]),
        ]
            as [([String: String], [String])])
    func lines(environment: [String: String], options: [String]) async throws {
        let terminal = try Terminal(
            ["fetch", address("/text"), address("/held")] + options, environment: environment)
        #expect(await terminal.waits(for: "/held started\r\n"))
        #expect(await terminal.waits(for: "/text finished\r\n"))
        gate.open()
        #expect(await terminal.exitCode() == 0)
        #expect(!terminal.text.contains("\u{1B}") && terminal.text.contains("some text\r\n"))
        #expect(terminal.text.contains(" run summary tasks=2 finished=2 failed=0"))
    }
}
