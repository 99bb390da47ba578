import Foundation
import SteplineTesting
import TestSupport
import Testing

@Suite("stepline run --store, killed and interrupted", .timeLimit(.minutes(5)))
struct KilledFlowTests {
    private static let flow = """
        { parameters: { s: "" }, tasks: {
          first: { steps: [ { load: "${s}/first" } ] },
          page: { after: "first", map: ["a", "b", "c"], steps: [ { load: "${s}/${item}" } ] },
          last: { after: "page", steps: [ { use: "page" }, { save: "pages.json" } ] },
        } }
        """

    /// A server whose page `c` hangs when it is asked for the first time.
    private func makeServer() throws -> LoopbackServer {
        let server = try LoopbackServer()
        server.route("/first", .text("1"))
        server.route("/a", .text("A"))
        server.route("/b", .text("B"))
        server.route("/c", inTurn: [.text("x").fault(.silence), .text("C")])
        return server
    }

    private func words(_ server: LoopbackServer) -> [String] {
        [
            "run", "flow.json5", "--store", "runs.db", "--key", "k", "--jobs", "1", "--set",
            "s=http://127.0.0.1:\(server.port)",
        ]
    }

    private func paths(_ server: LoopbackServer) -> [String] { server.requests.map(\.target) }

    /// Runs until the page that hangs is asked for, and all before it is kept.
    private func begin(_ flow: FlowCommandRun, _ server: LoopbackServer) async throws -> StartedCommand {
        let command = try StartedCommand(words(server), in: flow.folder.url)
        await server.waitForRequests(4)
        try await waitForPages(flow)
        return command
    }

    /// Waits until the store has the end of page `b`: the next page may begin before the end is stored.
    private func waitForPages(_ flow: FlowCommandRun) async throws {
        try await eventually("page b does not end") {
            let shown = try await flow("runs", "show", "k", "--store", "runs.db")
            return shown.output.contains(/page\[b\] +finished/) || shown.status != 0
        }
    }

    @Test("DR-13: a flow that was killed with -9 goes on with what was not kept, and asks nothing twice")
    func killed() async throws {
        let server = try makeServer()
        let flow = try FlowCommandRun(Self.flow)
        let command = try await begin(flow, server)
        command.signal(SIGKILL)
        let killed = await command.result()
        #expect(killed.wasSignalled && killed.status == SIGKILL)
        let shown = try await flow("runs", "show", "k", "--store", "runs.db")
        #expect(shown.output.hasPrefix("flow/k: interrupted"))
        #expect(shown.output.contains("to continue: stepline run "))
        let second = try await Command.run(words(server), in: flow.folder.url)
        #expect(second.status == 0, "\(second.errors)")
        #expect(paths(server) == ["/first", "/a", "/b", "/c", "/c"])
        #expect(try flow.folder.text("pages.json") == #"["A","B","C"]"# + "\n")
        let listed = try await flow("runs", "list", "--store", "runs.db")
        #expect(listed.output.contains("finished  7 "))
    }

    @Test(
        "DR-62: Ctrl-C keeps what has ended, says how to go on, and the code is 130",
        arguments: [SIGINT, SIGTERM])
    func interrupted(_ number: Int32) async throws {
        let server = try makeServer()
        let flow = try FlowCommandRun(Self.flow)
        let command = try await begin(flow, server)
        command.signal(number)
        let result = await command.result()
        #expect(!result.wasSignalled && result.status == 128 + number)
        #expect(result.complaints.contains("stepline: interrupted"))
        #expect(
            result.complaints.last?.contains("to continue, run the same command again: stepline run ") == true
        )
        let second = try await Command.run(words(server), in: flow.folder.url)
        #expect(second.status == 0, "\(second.errors)")
        #expect(paths(server) == ["/first", "/a", "/b", "/c", "/c"])
        #expect(second.errors.contains("kept of flow/k: 4 steps (first, page list, page[a], page[b])"))
    }

    @Test("DR-18: a run that is running is not run twice: the second says who has it")
    func twice() async throws {
        let server = try makeServer()
        let flow = try FlowCommandRun(Self.flow)
        let command = try await begin(flow, server)
        let second = try await Command.run(words(server), in: flow.folder.url)
        #expect(second.status == 1 && second.errors.contains("is being run by process"))
        let shown = try await flow("runs", "show", "k", "--store", "runs.db")
        #expect(shown.output.hasPrefix("flow/k: running"))
        #expect(try await flow("runs", "forget", "k", "--store", "runs.db").status == 1)
        command.signal(SIGKILL)
        _ = await command.result()
    }

    @Test("DR-19: runs cancel ends a run in another process for good")
    func cancelled() async throws {
        let server = try makeServer()
        let flow = try FlowCommandRun(Self.flow)
        let command = try await begin(flow, server)
        let reporting = try await flow("runs", "cancel", "k", "--reason", "enough", "--store", "runs.db")
        #expect(reporting.status == 0)
        #expect(await command.result().status == 1)
        let shown = try await flow("runs", "show", "k", "--store", "runs.db")
        #expect(shown.output.hasPrefix("flow/k: cancelled (enough)"))
        let again = try await Command.run(words(server), in: flow.folder.url)
        #expect(again.status == 1 && again.errors.contains("enough"))
        let retried = try await Command.run(words(server) + ["--retrying-failures"], in: flow.folder.url)
        #expect(retried.status == 0, "\(retried.errors)")
    }
}
