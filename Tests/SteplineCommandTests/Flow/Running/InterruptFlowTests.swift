import Foundation
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

@Suite("stepline run, interrupted", .timeLimit(.minutes(5)))
struct InterruptFlowTests {
    /// A named pipe that programs of a flow hold open for as long as they live.
    private struct LivePipe {
        /// Something was written into it, or it is over.
        let hasBegun = OneShot<Void>()
        /// All have let go of it.
        let isOver = OneShot<Void>()

        init(_ path: String) throws {
            try #require(mkfifo(path, 0o600) == 0)
            Thread { [hasBegun, isOver] in
                let handle = FileHandle(forReadingAtPath: path)
                _ = handle?.availableData
                hasBegun.fulfill(())
                _ = try? handle?.readToEnd()
                isOver.fulfill(())
            }.start()
        }
    }

    @Test("Ctrl-C stops transfers and programs, leaves no partial file, and exits with 130")
    func interrupt() async throws {
        let server = try LoopbackServer()
        server.route("/slow", .pattern(count: 5000).fault(.stall(after: 100)))
        let run = try FlowCommandRun(
            """
            { parameters: { s: "" }, tasks: {
              load: { steps: [ { load: "${s}/slow" }, { save: "slow" } ] },
              program: { steps: [ { run: ["sh", "-c", "exec 3>alive; echo up >&3; tail -f /dev/null"] }, { save: "never" } ] },
              behind: { after: "load", steps: [ { save: "behind" } ] },
            } }
            """)
        let program = try LivePipe(run.folder.url.appending(path: "alive").path)
        let terminal = try Terminal([
            "run", run.folder.url.appending(path: "flow.json5").path, "--allow-run", "sh",
            "--set", "s=http://127.0.0.1:\(server.port)",
        ])
        await program.hasBegun.value
        await server.waitForRequests()
        terminal.type("\u{3}")
        #expect(await terminal.exitCode() == 130)
        // Both the program and its child have let go.
        await program.isOver.value
        await server.waitForClosedConnections()
        #expect(try run.folder.names() == ["alive", "flow.json5"])
    }

    @Test("SIGINT from the first program of a run interrupts the run")
    func early() async throws {
        // As early as anything can be known of the run; before the system's queue has it, in some rounds.
        let run = try FlowCommandRun(
            """
            { tasks: { a: { steps: [ { run: ["sh", "-c", "kill -INT $PPID; exec tail -f /dev/null"] } ] } } }
            """)
        for round in 0..<(Chance.isSoak ? 20 : 3) {
            let result = try await run("run", "flow.json5", "--allow-run", "sh", as: .process)
            #expect(result.status == 130, "\(round): \(result.errors)")
        }
    }

    @Test(
        "SIGINT while a program is asked for a secret ends the program",
        arguments: [["run"], ["work", "--store", "postgresql://nobody@127.0.0.1:1/none"]])
    func secret(words: [String]) async throws {
        let run = try FlowCommandRun(
            """
            { secrets: { s: { command: ["sh", "-c", "exec 3>alive; kill -INT $PPID; exec tail -f /dev/null"] } },
              tasks: { a: { steps: [ { value: "${secrets.s}" } ] } } }
            """)
        let program = try LivePipe(run.folder.url.appending(path: "alive").path)
        let result = try await Command.run(
            [words[0], "flow.json5", "--allow-run", "sh"] + words.dropFirst(), in: run.folder.url,
            as: .process)
        #expect(result.status == 130 && !result.wasSignalled)
        #expect(result.complaints == ["stepline: interrupted"])
        await program.isOver.value
    }

    @Test("a second signal ends the run at once, also if the terminal accepts no output")
    func stoppedTerminal() async throws {
        let run = try FlowCommandRun(
            """
            { tasks: { a: { steps: [ { run: ["sh", "-c", "exec 3>alive; echo up >&3; exec tail -f /dev/null"] } ] } } }
            """)
        let program = try LivePipe(run.folder.url.appending(path: "alive").path)
        let terminal = try Terminal([
            "run", run.folder.url.appending(path: "flow.json5").path, "--allow-run", "sh",
        ])
        await program.hasBegun.value
        #expect(await terminal.waits(for: "0 of 1 done"))
        // Ctrl-S. A Ctrl-C from the keyboard would have the terminal go on.
        terminal.type("\u{13}")
        terminal.send(SIGINT)
        // The first signal was handled; the run then waits to remove its view.
        await program.isOver.value
        terminal.send(SIGINT)
        #expect(await terminal.exitCode() == 130)
    }

    @Test("--fail-fast cancels unfinished tasks, as onFailure of the file does")
    func failFast() async throws {
        let server = try LoopbackServer()
        server.route("/slow", .text("x").fault(.silence))
        server.route("/bad", .status(404))
        let text = """
            { parameters: { s: "" }, onFailure: "finishOthers", tasks: {
              slow: { steps: [ { load: "${s}/slow" } ] },
              bad: { steps: [ { load: "${s}/bad" } ] },
            } }
            """
        let run = try FlowCommandRun(text)
        try run.write(text.replacing("finishOthers", with: "cancelOthers"), to: "strict.json5")
        let base = "s=http://127.0.0.1:\(server.port)"
        #expect(try await run("run", "flow.json5", "--set", base, "--fail-fast").status == 1)
        #expect(try await run("run", "strict.json5", "--set", base).status == 1)
    }
}
