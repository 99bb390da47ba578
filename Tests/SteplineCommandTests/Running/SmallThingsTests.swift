import Foundation
import SteplineJSON
import SteplineTesting
import TestSupport
import Testing

@testable import SteplineCommand

/// The small things that a run at night stumbles over (issue 18, row 10).
@Suite("stepline at night: small things", .timeLimit(.minutes(5)))
struct SmallThingsTests {
    @Test("the JSON log never goes back in time, tells a task's end last, and has nothing that is no JSON")
    func log() async throws {
        let server = try LoopbackServer()
        server.route("/", .text("[1]", type: "application/json"))
        let flow = try FlowCommandRun(
            """
            { parameters: { unused: 1 }, concurrency: 4, tasks: {
              a: { map: [1, 2, 3, 4, 5, 6], steps: [ { load: "\(server.url("/"))?${item}" }, { parse: "json" } ] },
              b: { steps: [ { load: "\(server.url("/"))" }, { parse: "json" }, { select: "$[*]" } ] },
              c: { map: [1, 0], skipFailures: true, steps: [ { transform: "1 / item" } ] },
            } }
            """)
        for _ in 0..<3 {
            let result = try await flow("run", "flow.json5", "--log-format", "json")
            #expect(result.status == 0)
            let events = try result.complaints.map { try JSON(parsing: $0) }
            let times = events.compactMap { $0["time"]?.string }
            #expect(times.count == events.count && times == times.sorted())
            for (place, event) in events.enumerated() where event["event"]?.string == "finished" {
                let task = event["task"]?.string
                #expect(!events[(place + 1)...].contains { $0["task"]?.string == task && task != nil })
            }
            #expect(events.filter { $0["event"]?.string == "mistake" }.count == 1)
            let warning = events.first { $0["event"]?.string == "warning" }
            #expect(warning?["warning"]?.string?.contains("c[0] is left out") == true)
            // Each load is one step, as the file has it.
            let steps = events.filter { $0["task"]?.string == "b" && $0["event"]?.string == "stepEnded" }
            #expect(steps.compactMap { $0["step"]?.string } == ["load", "parse json", "select $[*]"])
        }
    }

    @Test("the status line counts the steps of the file, and no others")
    func steps() async throws {
        let server = try LoopbackServer()
        let gate = Gate()
        server.route("/", LoopbackResponse.text("[1]").fault(.hold(after: 0, gate)))
        let flow = try FlowCommandRun(
            """
            { tasks: { b: { steps: [ { value: 1 }, { load: "\(server.url("/"))?${it}" }, { parse: "json" } ] } } }
            """)
        let terminal = try Terminal(["run", flow.folder.url.appending(path: "flow.json5").path, "--no-color"])
        await server.waitForRequests(1)
        #expect(await terminal.waits(for: "load (2/3)"))
        gate.open()
        #expect(await terminal.exitCode() == 0)
    }

    @Test(
        "a bracket that is missing or too much is one mistake",
        arguments: [
            (
                "{ tasks: { a: { steps: [ { value: 1 } } } }",
                "1:24: error: the list is never closed (a \"]\" is missing before the \"}\" of 1:39)"
            ),
            (
                "{ tasks: { a: { steps: [ { value: 1 ], after: 'b' }, b: { steps: [ { value: 2 } ] } } }",
                "1:26: error: the object is never closed (a \"}\" is missing before the \"]\" of 1:37)"
            ),
            (
                "{ tasks: [ { a: 1 } ] ] }",
                "1:23: error: \"]\" closes nothing: the object ends with another bracket"
            ),
            ("{ tasks: { a: { steps: [ { value: 1 } ] } }", "1:1: error: the object is never closed"),
            (
                "{ tasks: { a: { steps: [ { value: 1 } ] } } } }",
                "1:47: error: nothing may follow the closing brace"
            ),
        ])
    func brackets(text: String, finding: String) {
        #expect(FlowSource(name: "f", text: text).findings() == [finding])
    }

    @Test("a flow comes from standard input with -, its folder being the current one")
    func standardInput() async throws {
        let folder = try TemporaryFolder()
        func run(_ words: String...) async throws -> CommandResult {
            let text = "{ tasks: { a: { steps: [ { value: 'x' }, { save: 'out.txt' } ] } } }"
            return try await Command.run(words, input: Data(text.utf8), in: folder.url)
        }
        #expect(try await run("check", "-").output == "stdin: no mistakes, 1 task\n")
        #expect(try await run("run", "-").status == 0)
        #expect(try folder.text("out.txt") == "x")
        let kept = try await run("run", "-", "--store", "runs.db")
        #expect(kept.status == 2 && kept.errors.contains("standard input can't be read again"))
        let bad = try await Command.run(
            ["check", "-"], input: Data("{ tasks: 3 }".utf8), in: folder.url)
        #expect(bad.status == 3 && bad.output.hasPrefix("stdin:1:10: error: "))
        try Data(repeating: 0x20, count: 5 << 20).write(to: folder.url.appending(path: "big"))
        let huge = try await Command.run(
            ["-c", "\"$0\" check - < big", try Command.executable().path],
            program: URL(filePath: "/bin/sh"), in: folder.url)
        #expect(huge.status == 1 && huge.errors.contains("stdin: the workflow file has more than"))
    }

    @Test("requests say who sends them, unless the user says something else")
    func agent() async throws {
        let server = try LoopbackServer()
        server.route("/", .text("[]", type: "application/json"))
        let flow = try FlowCommandRun(
            """
            { tasks: { a: { steps: [ { load: "\(server.url("/"))" } ] },
              b: { after: "a", steps: [ { pages: "\(server.url("/"))" } ] },
              c: { after: "b", steps: [ { load: "\(server.url("/"))", headers: { "user-agent": "mine" } } ] } } }
            """)
        #expect(try await flow("run", "flow.json5").status == 0)
        let address = server.url("/").absoluteString
        #expect(try await Command.run(["fetch", address]).status == 0)
        #expect(try await Command.run(["fetch", address, "-H", "user-agent: own"]).status == 0)
        let own = "stepline/" + Version.text
        #expect(server.requests.map { $0["User-Agent"] } == [own, own, "mine", own, "own"])
    }
}
