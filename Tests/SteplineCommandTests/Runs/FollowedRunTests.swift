import Foundation
import SteplineJSON
import SteplineTesting
import TestSupport
import Testing

@Suite("stepline runs show --follow", .timeLimit(.minutes(5)))
struct FollowedRunTests {
    private static let flow = """
        { parameters: { s: "" }, tasks: {
          first: { steps: [ { load: "${s}/first" } ] },
          last: { after: "first", steps: [ { load: "${s}/last" } ] },
        } }
        """

    /// A server whose second page hangs, a flow that waits for it, and the command that runs it.
    private func begin() async throws -> (LoopbackServer, FlowCommandRun, StartedCommand) {
        let server = try LoopbackServer()
        server.route("/first", .text("1"))
        server.route("/last", .text("x").fault(.silence))
        let flow = try FlowCommandRun(Self.flow)
        let command = try StartedCommand(
            [
                "run", "flow.json5", "--store", "runs.db", "--key", "k", "--set",
                "s=http://127.0.0.1:\(server.port)",
            ], in: flow.folder.url)
        await server.waitForRequests(2)
        return (server, flow, command)
    }

    private func terminal(_ flow: FlowCommandRun) throws -> Terminal {
        let store = flow.folder.url.path(percentEncoded: false) + "runs.db"
        return try Terminal(["runs", "show", "k", "--follow", "--store", store])
    }

    @Test("DR-61: a terminal shows what runs in another process, and how it ended when that is killed")
    func killed() async throws {
        let (server, flow, command) = try await begin()
        defer { withExtendedLifetime(server) {} }
        let terminal = try terminal(flow)
        #expect(await terminal.waits(for: "last"))
        #expect(await terminal.waits(for: "1 of 2 done"))
        command.signal(SIGKILL)
        _ = await command.result()
        #expect(await terminal.exitCode() == 1)
        for text in [
            "flow/k: interrupted, 1 step finished, 0 failed", "no longer runs it",
            "to continue: stepline run ",
        ] {
            #expect(terminal.text.contains(text), "\(text)")
        }
    }

    @Test("DR-61: Ctrl-C ends the following with code 130, and leaves the run alone")
    func interrupted() async throws {
        let (server, flow, command) = try await begin()
        defer { withExtendedLifetime(server) {} }
        let terminal = try terminal(flow)
        #expect(await terminal.waits(for: "1 of 2 done"))
        terminal.type("\u{3}")
        #expect(await terminal.exitCode() == 130)
        let shown = try await flow("runs", "show", "k", "--store", "runs.db")
        #expect(shown.output.hasPrefix("flow/k: running"))
        command.signal(SIGKILL)
        _ = await command.result()
    }

    @Test("DR-61: elsewhere each change is a line, or an object, and the code says how the run ended")
    func lines() async throws {
        let (server, flow, command) = try await begin()
        defer { withExtendedLifetime(server) {} }
        async let text = flow("runs", "show", "k", "--follow", "--store", "runs.db", "--report", "run.html")
        async let json = flow("runs", "show", "k", "--follow", "--store", "runs.db", "--json")
        #expect(try await flow("runs", "cancel", "k", "--reason", "enough", "--store", "runs.db").status == 0)
        #expect(await command.result().status == 1)
        let (lines, objects) = (try await text, try await json)
        #expect(lines.status == 1 && objects.status == 1)
        #expect(lines.output.contains(" first finished in "))
        #expect(lines.output.contains("flow/k: cancelled (enough)"))
        let last = try JSON(parsing: objects.output.split(separator: "\n").last.map(String.init) ?? "")
        #expect(last["state"]?.string == "cancelled" && last["reason"]?.string == "enough")
        #expect(try flow.folder.text("run.html").contains("first"))
    }
}
