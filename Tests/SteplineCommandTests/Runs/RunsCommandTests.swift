import Foundation
import SteplineJSON
import TestSupport
import Testing

@Suite("stepline runs", .timeLimit(.minutes(5)))
struct RunsCommandTests {
    private func makeRun() async throws -> FlowCommandRun {
        let flow = try FlowCommandRun(
            """
            { name: "numbers", tasks: {
              one: { steps: [ { value: 1 } ] },
              bad: { after: "one", steps: [ { use: "one" }, { select: "$.x" }, { first: "$[0]" } ] },
            } }
            """)
        let result = try await flow("run", "flow.json5", "--store", "runs.db", "--key", "k")
        #expect(result.status == 1)
        return flow
    }

    @Test("DR-60: list, show and log tell of runs, in columns or as JSON")
    func looking() async throws {
        let flow = try await makeRun()
        let list = try await flow("runs", "list", "--store", "runs.db")
        #expect(list.status == 0 && list.output.contains("numbers   k    failed  1         1 "))
        let show = try await flow("runs", "show", "k", "--store", "runs.db")
        #expect(show.output.contains("numbers/k: failed") && show.output.contains("nothing is found by $[0]"))
        #expect(show.output.contains("--retrying-failures"))
        let log = try await flow("runs", "log", "k", "--store", "runs.db")
        #expect(log.output.split(separator: "\n").count == 3)
        for verb in ["show", "log"] {
            let result = try await flow("runs", verb, "k", "--store", "runs.db", "--json")
            #expect(try JSON(parsing: result.output).isNull == false)
        }
        let all = try await flow("runs", "list", "--store", "runs.db", "--json")
        #expect(try JSON(parsing: all.output).array?.first?["workflow"]?.string == "numbers")
    }

    @Test("DR-60: retry writes the command that runs the failed steps again, and it does")
    func retry() async throws {
        let flow = try await makeRun()
        let result = try await flow("runs", "retry", "k", "--store", "runs.db")
        let words = result.output.split(whereSeparator: \.isWhitespace).map(String.init)
        #expect(words.first == "stepline" && words.last == "--retrying-failures")
        let again = try await Command.run(Array(words.dropFirst()), in: flow.folder.url)
        #expect(again.status == 1 && again.errors.contains("run again: 1 step (bad)"))
    }

    @Test("DR-60: fork copies a run without the results of a step and its dependents, and the copy continues")
    func fork() async throws {
        let flow = try await makeRun()
        func fork(_ step: String, _ more: String...) async throws -> CommandResult {
            try await Command.run(
                ["runs", "fork", "k", "--from", step, "--store", "runs.db"] + more, in: flow.folder.url)
        }
        let made = try await fork("bad", "--to", "l")
        #expect(
            made.status == 0 && made.output.hasPrefix("numbers/l keeps 1 step of numbers/k; to continue: "))
        let words =
            made.output.split(separator: "to continue: ").last?.split(whereSeparator: \.isWhitespace) ?? []
        let again = try await Command.run(
            words.dropFirst().map(String.init), in: flow.folder.url)
        #expect(again.status == 1 && again.errors.contains("kept of numbers/l: 1 step (one)"))
        #expect(try await fork("one", "--to", "m", "--json").output.contains(#""kept":0"#))
        #expect(try await fork("one", "--to", "l").status == 1)
        #expect(try await fork("none", "--to", "n").status == 2)
        #expect(try await fork("one").status == 2)
        try FileManager.default.removeItem(at: flow.folder.url.appending(path: "flow.json5"))
        let refused = try await fork("one", "--to", "n")
        #expect(refused.status == 1 && refused.errors.contains("its workflow file is missing"))
    }

    @Test(
        "DR-24: show --report writes a report without the workflow file too, and never over the store")
    func report() async throws {
        let flow = try await makeRun()
        let result = try await flow("runs", "show", "k", "--store", "runs.db", "--report", "run.html")
        #expect(result.status == 0 && result.output.hasPrefix("numbers/k"))
        let page = try flow.folder.text("run.html")
        for text in ["one", "bad", "nothing is found by $[0]"] { #expect(page.contains(text), "\(text)") }
        try FileManager.default.removeItem(at: flow.folder.url.appending(path: "flow.json5"))
        let again = try await flow("runs", "show", "k", "--store", "runs.db", "--report", "run.html")
        #expect(again.status == 0)
        #expect(try flow.folder.text("run.html").contains("bad"))
        let refused = try await flow(
            "runs", "show", "k", "--store", "runs.db", "--report", "runs.db", "--force")
        #expect(refused.status == 2 && refused.errors.contains("that is the file of --store"))
        #expect(try await flow("runs", "show", "k", "--store", "runs.db").status == 0)
    }

    @Test("DR-33, DR-60: forget removes a run, and STEPLINE_STORE names the store")
    func forget() async throws {
        let flow = try await makeRun()
        let old = try await flow("runs", "forget", "--older-than", "30d", "--store", "runs.db")
        #expect(old.output == "0 runs forgotten\n")
        let result = try await Command.run(
            ["runs", "forget", "k"], environment: ["STEPLINE_STORE": "runs.db"], in: flow.folder.url)
        #expect(result.status == 0 && result.output == "1 run forgotten\n")
        #expect(try await flow("runs", "list", "--store", "runs.db").output == "no runs\n")
        #expect(try await flow("runs", "show", "k", "--store", "runs.db").status == 1)
    }

    @Test("DR-25: a file that is no store is refused and left as it is, and looking makes none")
    func noStore() async throws {
        let flow = try FlowCommandRun("{ tasks: { a: { steps: [ { value: 1 } ] } } }")
        let before = try flow.folder.text("flow.json5")
        let refused = try await flow("runs", "list", "--store", "flow.json5")
        #expect(refused.status == 1 && refused.complaints.count == 1)
        #expect(try await flow("run", "flow.json5", "--store", "flow.json5").status == 1)
        #expect(try flow.folder.text("flow.json5") == before)
        #expect(try await flow("runs", "list", "--store", "none.db").status == 1)
        let away = try await flow("runs", "list", "--store", "postgresql://runs:hush@/runs?host=/nowhere")
        // Without libpq the store isn't asked at all.
        let isAway = away.errors.contains("/nowhere/runs: ") || away.errors.contains("libpq")
        #expect(away.status == 1 && isAway && !away.errors.contains("hush"), "\(away.errors)")
        let unknown = try await flow("runs", "list", "--store", "mysql://db/runs")
        #expect(
            unknown.status == 2 && unknown.errors.contains("--store: mysql://… is no supported kind of store")
        )
        #expect(try flow.folder.names() == ["flow.json5"])
    }

    @Test(
        "DR-60: invalid arguments are one line, with code 2",
        arguments: [
            (["runs"], "VERB [KEY]… is missing"), (["runs", "lsit"], "did you mean list?"),
            (["runs", "show"], "KEY is missing"), (["runs", "signal", "k"], "CONDITION is missing"),
            (["runs", "list", "x"], "unexpected argument 'x'"), (["runs", "list"], "--store is missing"),
            (["runs", "forget", "--older-than", "soon"], "such as"),
        ])
    func usage(words: [String], line: String) async throws {
        let result = try await Command.run(words, environment: ["STEPLINE_STORE": ""])
        #expect(
            result.status == 2 && result.complaints.count == 1 && result.errors.contains(line),
            "\(result.errors)")
    }
}
