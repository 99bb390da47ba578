import SteplineTesting
import Testing

@testable import SteplineCommand

@Suite("Workflow files: waiting tasks", .timeLimit(.minutes(5)))
struct TaskPoolTests {
    /// Runs files with two job slots, whose task "held" gets its answer only after "free" has sent its request.
    ///
    /// "held" occupies what "next" waits for. A run in which "next" takes a slot meanwhile never ends.
    @Test(
        "tasks that wait for a pool, their map's limit or their file's concurrency take no job slot",
        arguments: [
            (
                """
                held: { pool: "p", steps: [ { load: "SERVER/held" } ] },
                next: { pool: "p", steps: [ { load: "SERVER/next" } ] },
                free: { pool: "q", steps: [ { load: "SERVER/free" } ] }
                """, nil
            ),
            // Elements take no place of the pool either.
            (
                """
                each: { map: ["held", "next"], concurrency: 1, pool: "p",
                  steps: [ { load: "SERVER/${it}" } ] },
                free: { steps: [ { load: "SERVER/free" } ] }
                """, nil
            ),
            (
                """
                inner: { flow: "other.json5", with: { at: "SERVER" } },
                free: { steps: [ { load: "SERVER/free" } ] }
                """,
                """
                { concurrency: 1, parameters: { at: { type: "string", required: true } }, tasks: {
                  held: { steps: [ { load: "${at}/held" } ] },
                  next: { steps: [ { load: "${at}/next" } ] } } }
                """
            ),
        ] as [(String, String?)])
    func waiting(tasks: String, other: String?) async throws {
        let server = try LoopbackServer()
        let isFree = Gate()
        server.route("/held") { _ in isFree.block() ? .text("held") : .status(500) }
        server.route("/next", .text("next"))
        server.route("/free") { _ in
            isFree.open()
            return .text("free")
        }
        let tasks = tasks.replacing("SERVER", with: "http://127.0.0.1:\(server.port)")
        let run = try FlowCommandRun("{ concurrency: 2, pools: { p: 1, q: 1 }, tasks: { \(tasks) } }")
        if let other { try run.write(other, to: "other.json5") }
        let result = try await run("run", "flow.json5", "--plain")
        #expect(result.status == 0, "\(result.errors)")
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
