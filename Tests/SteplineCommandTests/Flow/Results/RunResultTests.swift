import Foundation
import SteplineJSON
import SteplineTesting
import TestSupport
import Testing

@testable import SteplineCommand

@Suite("stepline run: the result", .timeLimit(.minutes(5)))
struct RunResultTests {
    private static let chain = """
        { name: "sums", tasks: {
          numbers: { steps: [ { value: [1, 2, 3] } ] },
          total: { after: "numbers", steps: [ { transform: "sum(it)" } ] },
          told: { runs: "always", steps: [ { value: "over" } ] },
        } }
        """

    @Test(
        "the value of the only last task is written: a text as it is, anything else as a line of JSON",
        arguments: [
            ("{ value: 'Hello, Oslo' }", "Hello, Oslo\n"), ("{ value: 'two\\nlines\\n' }", "two\nlines\n"),
            ("{ value: [1, 'x'] }", "[1,\"x\"]\n"), ("{ value: null }", "null\n"), ("{ value: '' }", ""),
            ("{ load: 'in.txt' }", "no break"), ("{ load: 'in.txt' }, { parse: 'text' }", "no break\n"),
            (
                "{ load: 'in.xml' }, { parse: 'xml' }",
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a><b/></a>\n"
            ),
            ("{ value: { a: 1 } }, { save: 'out.json', pretty: true }", "{\"a\":1}\n"),
        ])
    func last(steps: String, output: String) async throws {
        let flow = try FlowCommandRun("{ tasks: { a: { steps: [ \(steps) ] } } }")
        try flow.write("no break", to: "in.txt")
        try flow.write("<a><b/></a>", to: "in.xml")
        let result = try await flow("run", "flow.json5")
        #expect(result.status == 0 && result.complaints.isEmpty, "\(result.errors)")
        #expect(result.output == output)
    }

    @Test("bytes that are no text are written unchanged")
    func bytes() async throws {
        let flow = try FlowCommandRun("{ tasks: { a: { steps: [ { load: 'in.bin' } ] } } }")
        let data = Data([0xFF, 0x00, 0x0A, 0xFE])
        try data.write(to: flow.folder.url.appending(path: "in.bin"))
        #expect(try await flow("run", "flow.json5").data == data)
        let object = try await flow("run", "flow.json5", "--json")
        let reason = try JSON(parsing: object.data)["noResult"]?.string
        #expect(
            object.status == 0 && reason == "the value is 4 bytes that are no text, which JSON can't hold")
    }

    @Test("a summary line is on stderr; --quiet leaves out summary and result, but not what --print asks for")
    func summary() async throws {
        let flow = try FlowCommandRun(Self.chain)
        let result = try await flow("run", "flow.json5")
        #expect(result.output == "6\n" && result.summary?.hasPrefix("3 of 3 done in ") == true)
        #expect(result.complaints.isEmpty)
        let quiet = try await flow("run", "flow.json5", "--quiet")
        #expect(quiet.status == 0 && quiet.output.isEmpty && quiet.errors.isEmpty)
        let printed = try await flow("run", "flow.json5", "-q", "--print", "numbers")
        #expect(printed.output == "[1,2,3]\n" && printed.errors.isEmpty)
    }

    @Test("the file's result precedes the value of the last task; of named tasks alone the last counts")
    func ofFile() async throws {
        let tasks = "tasks: { a: { steps: [ { value: 'A' } ] }, b: { steps: [ { value: 2 } ] } }"
        let flow = try FlowCommandRun("{ \(tasks), result: { a: '${tasks.a}', n: '${tasks.b + 1}' } }")
        try flow.write("{ \(tasks) }", to: "two.json5")
        let two = try await flow("run", "two.json5")
        #expect(two.status == 0 && two.output == #"{"a":"A","b":2}"# + "\n" && two.complaints.isEmpty)
        for (words, output) in [
            (["flow.json5"], "{\"a\":\"A\",\"n\":3}\n"),
            // The named tasks alone are run, so their value is the result.
            (["flow.json5", "a"], "A\n"), (["two.json5", "b"], "2\n"),
            (["two.json5", "--quiet"], ""), (["two.json5", "--print", "b"], "2\n"),
        ] {
            let result = try await Command.run(["run"] + words, in: flow.folder.url)
            #expect(result.output == output, "\(words)")
        }
    }

    @Test(
        "the object of several last tasks leaves out failed and skipped tasks, and those that end with a file"
    )
    func lasts() async throws {
        let flow = try FlowCommandRun(
            """
            { tasks: {
              saved: { steps: [ { value: [1] }, { save: 'saved.json' } ] },
              no: { when: '1 > 2', steps: [ { value: 1 } ] },
              bad: { steps: [ { value: 'x' }, { transform: 'it.name' } ] },
              text: { steps: [ { load: 'in.txt' } ] },
              list: { map: [1, 2], steps: [ { transform: 'item + 1' } ] },
              told: { runs: "always", steps: [ { value: "over" } ] },
            } }
            """)
        try flow.write("no break", to: "in.txt")
        let result = try await flow("run", "flow.json5", "--keep-going")
        #expect(result.status == 1 && result.output == #"{"text":"no break","list":[2,3]}"# + "\n")
        let object = try JSON(parsing: try await flow("run", "flow.json5", "--keep-going", "--json").data)
        #expect(object["result"] == ["text": "no break", "list": [2, 3]] && object["noResult"] == nil)
        let files = try await flow("run", "flow.json5", "saved", "no")
        #expect(files.status == 0 && files.output.isEmpty && files.complaints.isEmpty, "\(files.errors)")
    }

    @Test("of several last tasks with bytes that are no text nothing is written, and a note names --print")
    func lastBytes() async throws {
        let flow = try FlowCommandRun(
            "{ tasks: { a: { steps: [ { load: 'in.bin' } ] }, b: { steps: [ { value: 1 } ] } } }")
        try Data([0xFF, 0x00]).write(to: flow.folder.url.appending(path: "in.bin"))
        let result = try await flow("run", "flow.json5")
        #expect(result.status == 0 && result.output.isEmpty)
        #expect(
            result.complaints == [
                "stepline: no result: task 'a': the value is 2 bytes that are no text, which JSON can't hold; "
                    + "--print a writes it"
            ])
    }

    @Test(
        "--print of a task that has no value in the run is refused before the run",
        arguments: [
            (["--print", "totl"], "has no task 'totl'; did you mean total?"),
            (["--print", "told"], "'told' runs after other tasks and has no value"),
            (["numbers", "--print", "total"], "'total' isn't run; name it as a TASK as well"),
        ])
    func refused(words: [String], message: String) async throws {
        let flow = try FlowCommandRun(Self.chain)
        let result = try await Command.run(["run", "flow.json5"] + words, in: flow.folder.url)
        #expect(result.status == 2 && result.output.isEmpty && result.errors.contains(message))
    }

    @Test("a result that is missing after the run fails it with the reason")
    func missing() async throws {
        let flow = try FlowCommandRun(
            """
            { tasks: {
              bad: { steps: [ { value: 'x' }, { transform: 'it.name' } ] },
              below: { after: 'bad', steps: [ { use: 'bad' } ] },
              good: { steps: [ { value: 1 } ] },
              no: { when: '1 > 2', steps: [ { value: 1 } ] },
            }, result: '${tasks.good} ${tasks.below}' }
            """)
        let result = try await flow("run", "flow.json5", "--keep-going")
        #expect(result.status == 1 && result.output.isEmpty)
        #expect(result.complaints.last == "stepline: no result: task 'below' was not run")
        let bad = try await flow("run", "flow.json5", "--keep-going", "--print", "bad")
        #expect(bad.status == 1 && bad.complaints.last == "stepline: no result: task 'bad' failed")
        let good = try await flow("run", "flow.json5", "--keep-going", "--print", "good")
        #expect(good.status == 1 && good.output == "1\n")
        let skipped = try await flow("run", "flow.json5", "no", "--print", "no")
        #expect(skipped.status == 1 && skipped.output.isEmpty)
        #expect(skipped.complaints.last?.hasPrefix("stepline: no result: task 'no' was skipped: ") == true)
        try flow.write(
            "{ tasks: { a: { steps: [ { value: 0 } ] } }, result: '${1 / tasks.a}' }", to: "r.json5")
        let formula = try await flow("run", "r.json5")
        #expect(formula.status == 1 && formula.complaints.count == 1, "\(formula.errors)")
        #expect(formula.errors.contains("no result: result (r.json5:1:"), "\(formula.errors)")
    }

    @Test("an up-to-date task is logged as skipped, and runs again only if its value is asked for")
    func upToDate() async throws {
        let tasks = "tasks: { a: { writes: 'a.txt', steps: [ { value: 'A' }, { save: 'a.txt' } ] } }"
        let flow = try FlowCommandRun("{ \(tasks) }")
        #expect(try await flow("run", "flow.json5").output == "A\n")
        let second = try await flow("run", "flow.json5")
        #expect(second.status == 0 && second.output.isEmpty && second.complaints.isEmpty)
        #expect(second.summary?.contains("1 up to date") == true)
        let logged = try await flow("run", "flow.json5", "--log-format", "json", "--report", "r.html")
        let events = try logged.complaints.map { try JSON(parsing: $0) }
        #expect(logged.status == 0 && events.first?["event"] == "skipped" && events.first?["task"] == "a")
        #expect(events.last?["event"] == "summary" && events.last?["upToDate"] == 1)
        #expect(try await flow("run", "flow.json5", "--print", "a").output == "A\n")
        try flow.write("{ \(tasks), result: '<${tasks.a}>' }", to: "r.json5")
        #expect(try await flow("run", "r.json5").output == "<A>\n")
        let object = try JSON(parsing: try await flow("run", "flow.json5", "--json").data)
        #expect(object["tasks"] == [["name": "a", "state": "upToDate"]] && object["result"] == .null)
        #expect(object["noResult"] == "task 'a' is up to date, and was not run")
    }

    @Test("--json writes one object with result, outcome, times, tasks and failures")
    func object() async throws {
        let flow = try FlowCommandRun(Self.chain)
        let result = try await flow("run", "flow.json5", "--json")
        let object = try JSON(parsing: result.data)
        #expect(
            object.keys == ["name", "outcome", "began", "ended", "seconds", "result", "tasks", "failures"])
        #expect(object["name"] == "sums" && object["outcome"] == "succeeded" && object["result"] == 6)
        let tasks = try #require(object["tasks"]?.array)
        #expect(tasks.map { $0["name"] } == ["numbers", "total", "told"])
        for task in tasks {
            #expect(task.keys == ["name", "state", "attempts", "began", "ended", "seconds"], "\(task)")
            #expect(task["state"] == "finished" && task["attempts"] == 1)
        }
        #expect(result.summary?.hasSuffix("(--log-format json writes events)") == true)
        let other = try await flow("run", "flow.json5", "--json", "--print", "numbers", "--quiet")
        #expect(try JSON(parsing: other.data)["result"] == [1, 2, 3] && other.errors.isEmpty)
    }

    @Test("--json of a failed run has the failures, the states of all tasks and the reason for no result")
    func failedObject() async throws {
        let flow = try FlowCommandRun(
            """
            { tasks: {
              bad: { steps: [ { value: 'x' }, { transform: 'it.name' } ] },
              below: { after: 'bad', steps: [ { use: 'bad' } ] },
              may: { after: 'bad', allowFailure: 'bad', steps: [ { value: 1 } ] },
              no: { when: '1 > 2', steps: [ { value: 1 } ] },
            } }
            """)
        let result = try await flow("run", "flow.json5", "--json", "--print", "below", "--keep-going")
        let object = try JSON(parsing: result.data)
        #expect(result.status == 1 && object["outcome"] == "failed" && object["result"] == .null)
        #expect(object["noResult"] == "task 'below' was not run")
        let states = object["tasks"]?.array?.map { [$0["name"], $0["state"]] }
        #expect(
            states == [["bad", "failed"], ["below", "notRun"], ["may", "finished"], ["no", "skipped"]],
            "\(object)")
        let bad = try #require(object["tasks"]?.array?.first)
        #expect(bad["error"] == #"transform (flow.json5:2:51): a text has no member "name""#, "\(bad)")
        let failure = try #require(object["failures"]?.array?.first)
        #expect(failure["task"] == "bad" && failure["place"] == "flow.json5:2:51", "\(failure)")
    }

    @Test("the result is written to a terminal below the summary, except bytes that are no text")
    func terminal() async throws {
        let flow = try FlowCommandRun("{ tasks: { a: { steps: [ { load: 'in.bin' } ] } } }")
        let path = flow.folder.url.appending(path: "flow.json5").path
        try flow.write("no break", to: "in.bin")
        let text = try Terminal(["run", path])
        #expect(await text.exitCode() == 0)
        #expect(await text.waits(for: "no break"))
        try Data([0xFF, 0x00]).write(to: flow.folder.url.appending(path: "in.bin"))
        let binary = try Terminal(["run", path])
        #expect(await binary.exitCode() == 0)
        #expect(await binary.waits(for: "no result: the value is 2 bytes that are no text"))
    }

    @Test("a secret in the result is hidden")
    func secret() async throws {
        let flow = try FlowCommandRun(
            """
            { secrets: { token: { env: 'TOKEN' } },
              tasks: { a: { steps: [ { value: { key: 'Bearer ${secrets.token}' } } ] } } }
            """)
        for option in [[], ["--json"], ["--print", "a"]] {
            let result = try await Command.run(
                ["run", "flow.json5", "--allow-env", "TOKEN"] + option,
                environment: ["TOKEN": "s3cret-\"word"], in: flow.folder.url)
            #expect(result.status == 0 && result.output.contains("Bearer "), "\(result.errors)")
            #expect(!result.output.contains("s3cret") && !result.output.contains("word"), "\(result.output)")
        }
    }

    @Test("a result without a reader ends the command with 141")
    func closed() async throws {
        let flow = try FlowCommandRun("{ tasks: { a: { steps: [ { value: 1 } ] } } }")
        // A named pipe whose only reader is closed before the command starts.
        let script = "mkfifo p; exec 3<>p; exec 4>p; exec 3>&-; \"$0\" run flow.json5 >&4; echo $?"
        let result = try await Command.run(
            ["-c", script, try Command.executable().path], program: URL(filePath: "/bin/sh"),
            in: flow.folder.url)
        #expect(result.output == "141\n", "\(result.errors)")
    }
}
