import SteplineTesting
import Testing

@testable import SteplineCommand

@Suite("Workflow files: waiting tasks", .timeLimit(.minutes(5)))
struct TaskPoolTests {
    /// Runs a file two tasks at once, whose task "held" is answered only after "free" has asked.
    ///
    /// "held" has what the second task waits for, so that a run in which that waits before "free" never ends.
    private func run(_ tasks: (LoopbackServer) -> String, _ other: String? = nil) async throws {
        let server = try LoopbackServer()
        let isFree = Gate()
        server.route("/held") { _ in isFree.block() ? .text("held") : .status(500) }
        server.route("/next", .text("next"))
        server.route("/free") { _ in
            isFree.open()
            return .text("free")
        }
        let run = try FlowCommandRun("{ concurrency: 2, pools: { p: 1, q: 1 }, tasks: { \(tasks(server)) } }")
        if let other { try run.write(other, to: "other.json5") }
        let result = try await run("run", "flow.json5", "--plain")
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test("a task that waits for a pool takes no job slot")
    func poolBesideJobs() async throws {
        try await run { server in
            """
            held: { pool: "p", steps: [ { load: "\(server.url("/held"))" } ] },
            next: { pool: "p", steps: [ { load: "\(server.url("/next"))" } ] },
            free: { pool: "q", steps: [ { load: "\(server.url("/free"))" } ] }
            """
        }
    }

    @Test("elements that wait for the limit of their map take no job slot and no pool place")
    func limitBesideJobs() async throws {
        try await run { server in
            """
            each: { map: ["held", "next"], concurrency: 1, pool: "p", steps: [ { load: "\(server.url("/"))${it}" } ] },
            free: { steps: [ { load: "\(server.url("/free"))" } ] }
            """
        }
    }

    @Test("tasks that wait for the concurrency of their file take no job slot")
    func fileBesideJobs() async throws {
        try await run(
            {
                """
                inner: { flow: "other.json5", with: { at: "\($0.url("/"))" } },
                free: { steps: [ { load: "\($0.url("/free"))" } ] }
                """
            },
            """
            { concurrency: 1, parameters: { at: { type: "string", required: true } }, tasks: {
              held: { steps: [ { load: "${at}held" } ] },
              next: { steps: [ { load: "${at}next" } ] } } }
            """)
    }

    @Test("waiting tasks start in order of priority")
    func priority() async throws {
        let run = try FlowCommandRun(
            """
            { concurrency: 1, tasks: {
              first: { steps: [ { run: ["sleep", "0.1"] } ] },
              usual: { steps: [ { value: 2 } ] },
              low: { priority: "low", steps: [ { value: 3 } ] },
              urgent: { priority: "critical", steps: [ { value: 4 } ] } } }
            """)
        let result = try await run("run", "flow.json5", "--plain", "--allow-run", "sleep")
        let begun = result.errors.split(separator: "\n").filter { $0.hasSuffix(" started") }
            .compactMap { $0.split(separator: " ").dropFirst().first.map(String.init) }
        #expect(begun == ["first", "urgent", "usual", "low"], "\(result.errors)")
    }
}
