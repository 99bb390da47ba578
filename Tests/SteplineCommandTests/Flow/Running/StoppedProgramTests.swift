import Foundation
import SteplineSupport
import TestSupport
import Testing

@Suite("Workflow files: programs that are stopped", .timeLimit(.minutes(5)), .withPS)
struct StoppedProgramTests {
    /// Sleeps for a time that no other program on the machine sleeps; each case of a test has its own.
    private let sleep = "sleep 7543.\(getpid())\(Self.count.withLock { $0 += 1; return $0 })"
    private static let count = Locked(100)

    /// A script whose programs all ignore SIGTERM.
    private func stubborn() -> String { "trap '' TERM; \(sleep); \(sleep)" }

    /// A script that ends on SIGTERM and leaves a child that ignores it and has no pipe open.
    private func leaving() -> String {
        "(trap '' TERM; exec \(sleep)) </dev/null >/dev/null 2>&1 & wait"
    }

    /// Runs a task with the script, then a task that lists all programs; returns the list.
    private func seen(_ script: String, stepTimeout: Bool, including: Bool = false) async throws -> String {
        let timeout = "timeout: '300ms'"
        let script = script.contains(">begun") ? script : ": >begun; " + script
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
        let run = ClockedRun(
            ["run", "flow.json5", "--allow-run", "sh", "--allow-run", "ps"], in: folder.folder.url)
        try await eventually { try folder.folder.names().contains("begun") }
        // In small steps, so that the script can act on SIGTERM before SIGKILL comes two seconds later.
        let result = try await run.result(advancingBy: .milliseconds(100))
        #expect(result.errors.contains("timed out after 0.3 seconds"))
        return try folder.folder.text("seen")
    }

    @Test(
        "a program that ignores SIGTERM is gone with its children when its step ends",
        arguments: [true, false])
    func ignoring(stepTimeout: Bool) async throws {
        let programs = try await seen(stubborn(), stepTimeout: stepTimeout)
        #expect(programs.contains("ps -eo args") && !programs.contains(sleep))
    }

    @Test(
        "a child that ignores SIGTERM and has no pipe is gone when the step ends", arguments: [true, false])
    func quietChild(stepTimeout: Bool) async throws {
        #expect(try await !seen(leaving(), stepTimeout: stepTimeout).contains(sleep))
    }

    @Test("the time-out of a task that runs another file ends the file's programs")
    func included() async throws {
        #expect(try await !seen(stubborn(), stepTimeout: false, including: true).contains(sleep))
    }

    #if os(Linux)
        @Test(
            "a child in a session of its own is gone when the step ends",
            arguments: [
                "setsid SLEEP & wait",
                // An orphan that ignores SIGTERM.
                "(setsid sh -c 'trap : TERM; while :; do SLEEP; done' &); tail -f /dev/null",
                // Without an environment, as long as its parent is there: the time-out must come after the fork.
                "env -i setsid SLEEP & : >begun; wait",
                // Starts another one whenever it is ended.
                "(setsid sh -c 'trap \\\"setsid SLEEP &\\\" TERM; SLEEP & wait; wait' &); tail -f /dev/null",
            ])
        func ownSession(script: String) async throws {
            let script = script.replacing("SLEEP", with: "\(sleep) >/dev/null 2>&1 </dev/null")
            #expect(try await !seen(script, stepTimeout: true).contains(sleep))
        }

        @Test(
            "the stop of a program leaves the daemon of another program alone"
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
