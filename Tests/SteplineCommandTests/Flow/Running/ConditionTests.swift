import Foundation
import SteplineJSON
import SteplineTesting
import TestSupport
import Testing

@testable import SteplineCommand

@Suite("Conditional tasks of a flow", .timeLimit(.minutes(5)))
struct ConditionTests {
    /// A step that notes that its task was run.
    private static func tells(_ name: String) -> String { #"{ run: ["sh", "-c", "echo \#(name) >> ran"] }"# }

    private func run(
        _ text: String, _ words: String...
    ) async throws -> (result: CommandResult, ran: Set<String>, run: FlowCommandRun) {
        let flow = try FlowCommandRun(text)
        let result = try await Command.run(
            ["run", "flow.json5", "--allow-run", "sh"] + words, in: flow.folder.url)
        let ran = (try? flow.folder.text("ran")) ?? ""
        return (result, Set(ran.split(separator: "\n").map(String.init)), flow)
    }

    /// The log's reason for each skipped task.
    private func skips(_ result: CommandResult) throws -> [String: String] {
        let entries = try result.complaints.map { try JSON(parsing: $0) }
        return Dictionary(
            entries.filter { $0["event"] == "skipped" }
                .map { ($0["task"]?.string ?? "", $0["reason"]?.string ?? "") },
            uniquingKeysWith: { first, _ in first })
    }

    private static let chain = """
        {
          parameters: { publish: false },
          tasks: {
            make: { steps: [ { value: { n: 3 } } ] },
            send: { after: "make", when: "publish && tasks.make.n > 2", steps: [ \(tells("send")) ] },
            tell: { after: "send", steps: [ { parse: "text" }, \(tells("tell")) ] },
            list: { after: "tell", map: "${[tasks.tell]}", steps: [ \(tells("list")) ] },
            order: { after: "send", steps: [ { value: 1 }, \(tells("order")) ] },
            allow: { after: "send", allowFailure: "send",
              steps: [ { value: "${tasks.send ?? 'none'}" }, { save: "allowed.txt" } ] },
            tidy: { runs: "always", after: "send", when: "tasks.send == null", steps: [ \(tells("tidy")) ] },
            fail: { runs: "onFailure", steps: [ \(tells("fail")) ] },
          },
        }
        """

    @Test("a task whose condition is false is skipped, with those that take its result; the run is a success")
    func skipped() async throws {
        let (result, ran, flow) = try await run(Self.chain, "--log-format", "json", "--report", "run.html")
        #expect(result.status == 0, "\(result.errors)")
        #expect(ran == ["order", "tidy"], "one that only comes after it is run, and what is to run always")
        #expect(try flow.folder.text("allowed.txt") == "none")
        #expect(
            try skips(result) == [
                "send": "when: publish && tasks.make.n > 2",
                "tell": #"it takes the result of "send", which is skipped"#,
                "list": #"it takes the result of "tell", which is skipped"#,
            ])
        let summary = try JSON(parsing: #require(result.complaints.last))
        #expect(summary["skipped"] == 3 && summary["finished"] == 5 && summary["notRun"] == 0, "\(summary)")
        let report = try flow.folder.text("run.html")
        #expect(report.contains("skipped: when: publish &amp;&amp; tasks.make.n &gt; 2"))

        let all = try await run(Self.chain, "--set", "publish=true")
        #expect(all.result.status == 0 && all.result.complaints.isEmpty, "\(all.result.errors)")
        #expect(all.ran == ["send", "tell", "list", "order"])
        #expect(try all.run.folder.text("allowed.txt") == "")
    }

    @Test("a condition can use status and headers through answer, whatever the status")
    func answers() async throws {
        let server = try LoopbackServer()
        server.route("/new", .text("page").header("X-Version", "7"))
        server.route("/gone", LoopbackResponse.status(404))
        func flow(_ path: String) -> String {
            """
            { tasks: {
              head: { steps: [ { load: "http://127.0.0.1:\(server.port)\(path)", answer: true } ] },
              good: { after: "head", when: "tasks.head.status == 200 && number(tasks.head.headers['x-version']) > 6",
                steps: [ { transform: "it.body" }, { save: "good.txt" } ] },
              gone: { after: "head", when: "tasks.head.status == 404", steps: [ { save: "gone.json" } ] },
            } }
            """
        }
        let new = try await run(flow("/new"))
        #expect(new.result.status == 0 && new.result.complaints.isEmpty, "\(new.result.errors)")
        #expect(try new.run.folder.text("good.txt") == "page")
        #expect(try !new.run.folder.names().contains("gone.json"))
        let gone = try await run(flow("/gone"))
        #expect(gone.result.status == 0, "\(gone.result.errors)")
        let kept = try JSON(parsing: gone.run.folder.text("gone.json"))
        #expect(kept["status"] == 404 && kept["url"]?.string?.hasSuffix("/gone") == true)
        #expect(kept.keys == ["status", "url", "headers", "body"] && kept["body"] == "", "\(kept)")
    }

    @Test("an allowed failure is null in a condition; any other failure blocks the task")
    func failures() async throws {
        let tasks = """
            bad: { steps: [ { transform: "1 / 0" } ] },
            mend: { after: "bad", allowFailure: "bad", when: "tasks.bad == null", steps: [ \(Self.tells("mend")) ] },
            rest: { after: "bad", allowFailure: "bad", when: "tasks.bad != null", steps: [ \(Self.tells("rest")) ] },
            """
        let allowed = try await run("{ tasks: { \(tasks) } }")
        #expect(allowed.result.status == 0 && allowed.ran == ["mend"], "\(allowed.result.errors)")
        let blocked = try await run(
            "{ tasks: { \(tasks) more: { after: 'bad', when: 'false', steps: [ \(Self.tells("more")) ] } } }")
        #expect(blocked.result.status == 1 && blocked.ran == ["mend"])
    }

    @Test("a condition that fails fails its task with place and cause, and doesn't skip it")
    func mistaken() async throws {
        let (result, ran, _) = try await run(
            """
            { tasks: {
              a: { steps: [ { value: "yes" } ] },
              b: { after: "a", when: "tasks.a", steps: [ \(Self.tells("b")) ] },
            } }
            """)
        #expect(result.status == 1 && ran.isEmpty)
        #expect(
            result.complaints == [
                "stepline: b failed: when (flow.json5:3:27): expected true or false, not a text"
            ], "\(result.errors)")
    }

    @Test("a resumed run remembers skipped tasks")
    func kept() async throws {
        let text = Self.chain.replacing(
            "order: {", with: "stop: { steps: [ { load: 'later.txt' } ] }, order: {")
        let flow = try FlowCommandRun(text)
        for status in [Int32(1), 0] {
            let result = try await flow(
                "run", "flow.json5", "--allow-run", "sh", "--store", "runs.db", "--key", "k",
                "--retrying-failures")
            #expect(result.status == status, "\(result.errors)")
            try flow.write("1", to: "later.txt")
        }
        #expect(
            Set(try flow.folder.text("ran").split(separator: "\n")).isDisjoint(with: ["send", "tell", "list"])
        )
    }
}
