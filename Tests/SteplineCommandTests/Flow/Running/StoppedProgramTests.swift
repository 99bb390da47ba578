import Foundation
import Testing

/// What is left of a program whose time is over: nothing, when the next step begins.
@Suite("Workflow files: programs that are stopped", .timeLimit(.minutes(5)))
struct StoppedProgramTests {
    /// For a time that no other program on the machine sleeps; each case of a test has its own.
    private let sleep = "sleep 7543.\(Int.random(in: 1_000_000_000..<10_000_000_000))"

    /// The script in which every program ignores what is meant kindly.
    private func stubborn() -> String { "trap '' TERM; \(sleep); \(sleep)" }

    /// One that ends when it is told, and leaves a child that doesn't, and has no pipe open.
    private func leaving() -> String {
        "(trap '' TERM; exec \(sleep)) </dev/null >/dev/null 2>&1 & wait"
    }

    /// Runs a task with that script, and another behind it that lists all programs; what that has seen.
    private func seen(_ script: String, stepTimeout: Bool, including: Bool = false) async throws -> String {
        let timeout = "timeout: '300ms'"
        let step = "{run: ['sh', '-c', \"\(script)\"]\(stepTimeout ? ", " + timeout : "")}"
        let task = "a: {steps: [\(step)]\(stepTimeout ? "" : ", " + timeout)}"
        let folder = try FlowCommandRun(
            """
            {tasks: {
                \(including ? "a: {flow: 'inner.json5', \(timeout)}" : task),
                b: {after: 'a', allowFailure: 'a', steps: [{run: ['ps', '-eo', 'args']}, {save: 'seen'}]},
            }}
            """)
        if including {
            try folder.write("{tasks: {c: {steps: [{run: ['sh', '-c', \"\(script)\"]}]}}}", to: "inner.json5")
        }
        let result = try await folder("run", "flow.json5", "--allow-run", "sh", "--allow-run", "ps")
        #expect(result.errors.contains("timed out after 0.3 seconds"))
        return try folder.folder.text("seen")
    }

    @Test(
        "one that ignores being told is gone with its children when its step is over",
        arguments: [true, false])
    func ignoring(stepTimeout: Bool) async throws {
        let programs = try await seen(stubborn(), stepTimeout: stepTimeout)
        #expect(programs.contains("ps -eo args") && !programs.contains(sleep))
    }

    @Test("a child that lives on and writes to no pipe is gone, too", arguments: [true, false])
    func quietChild(stepTimeout: Bool) async throws {
        #expect(try await !seen(leaving(), stepTimeout: stepTimeout).contains(sleep))
    }

    @Test("so it is if the time was that of a task which runs another file")
    func included() async throws {
        #expect(try await !seen(stubborn(), stepTimeout: false, including: true).contains(sleep))
    }

    #if os(Linux)
        @Test(
            "what went off into a session of its own is gone, too",
            arguments: [
                "setsid SLEEP & wait",
                // Nobody's child any more, and deaf to what is meant kindly.
                "(setsid sh -c 'trap : TERM; while :; do SLEEP; done' &); tail -f /dev/null",
                // Without an environment, as long as its parent is there.
                "env -i setsid SLEEP & wait",
                // Starts another one whenever it is ended.
                "(setsid sh -c 'trap \\\"setsid SLEEP &\\\" TERM; SLEEP & wait; wait' &); tail -f /dev/null",
            ])
        func ownSession(script: String) async throws {
            let script = script.replacing("SLEEP", with: "\(sleep) >/dev/null 2>&1 </dev/null")
            #expect(try await !seen(script, stepTimeout: true).contains(sleep))
        }

        @Test(
            "one that ended by itself keeps the daemon that it left, and so does one beside it that is stopped"
        )
        func daemon() async throws {
            let folder = try FlowCommandRun(
                """
                {tasks: {
                    a: {steps: [{run: ['sh', '-c', '(setsid \(sleep) >/dev/null 2>&1 </dev/null &); exit 0']}]},
                    b: {after: 'a', steps: [{run: ['sh', '-c', 'tail -f /dev/null'], timeout: '300ms'}]},
                    c: {after: 'b', allowFailure: 'b', steps: [{run: ['pkill', '-f', '\(sleep)']}]},
                }}
                """)
            let result = try await folder(
                "run", "flow.json5", "--keep-going", "--allow-run", "sh", "--allow-run", "pkill")
            #expect(result.errors.contains("timed out after 0.3 seconds"))
            // That there was one to be ended is how pkill does not fail.
            #expect(!result.errors.contains("pkill"), "\(result.errors)")
        }
    #endif
}
