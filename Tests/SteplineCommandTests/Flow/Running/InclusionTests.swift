import Foundation
import SteplineJSON
import TestSupport
import Testing

@testable import SteplineCommand

@Suite("Flows that run other flows", .timeLimit(.minutes(5)))
struct InclusionTests {
    /// A flow that runs another, once and for each of a list.
    private func cities() throws -> FlowCommandRun {
        let flow = try FlowCommandRun(
            """
            { parameters: { cities: ["Oslo", "Paris"] }, tasks: {
              one: { flow: "lib/city.json5", with: { city: "Bergen", n: 5 } },
              all: { map: "${cities}", flow: "lib/city.json5", with: { city: "${item}" } },
              out: { after: ["one", "all"],
                steps: [ { value: { one: "${tasks.one}", all: "${tasks.all}" } }, { save: "out.json" } ] },
            } }
            """)
        try flow.write(
            """
            { parameters: { city: { values: ["Oslo", "Paris", "Bergen"] }, n: 3 }, concurrency: 1, tasks: {
              up: { steps: [ { value: "${upper(city)}" } ] },
              big: { when: "n > 4", steps: [ { value: true } ] },
              list: { map: [1, 2], steps: [ { transform: "it * n" } ] },
              file: { after: "up", steps: [ { use: "up" }, { save: "${city}.txt" } ] },
            }, result: { name: "${tasks.up}", big: "${tasks.big}", list: "${tasks.list}" } }
            """, to: "lib/city.json5")
        return flow
    }

    @Test(
        "an included flow's result is its task's, also with one job; its paths are relative to its own folder"
    )
    func results() async throws {
        let flow = try cities()
        #expect(try await flow("check", "flow.json5").output == "flow.json5: no mistakes, 3 tasks\n")
        for jobs in ["1", "8"] {
            let result = try await flow("run", "flow.json5", "--jobs", jobs)
            #expect(result.status == 0 && result.complaints.isEmpty, "\(result.errors)")
            #expect(
                try flow.folder.text("out.json") == """
                    {"one":{"name":"BERGEN","big":true,"list":[5,10]},"all":[\
                    {"name":"OSLO","big":null,"list":[3,6]},{"name":"PARIS","big":null,"list":[3,6]}]}

                    """)
            #expect(
                try flow.folder.names(in: "lib") == ["Bergen.txt", "Oslo.txt", "Paris.txt", "city.json5"])
        }
    }

    @Test("a task's name may begin with a combining mark")
    func marks() async throws {
        let flow = try FlowCommandRun(
            """
            { tasks: { inner: { flow: "other.json5" },
              out: { after: "inner", steps: [ { value: "${tasks.inner}" }, { save: "out.json" } ] } } }
            """)
        try flow.write(
            #"{ tasks: { "\u0301x": { steps: [ { value: 7 } ] } }, result: "${tasks['\u0301x']}" }"#,
            to: "other.json5")
        let result = try await flow("run", "flow.json5")
        #expect(result.status == 0 && result.complaints.isEmpty, "\(result.errors)")
        #expect(try flow.folder.text("out.json") == "7\n")
    }

    @Test("tasks of an included flow are in the log and the report, below the including task")
    func reporting() async throws {
        let flow = try cities()
        let result = try await flow("run", "flow.json5", "--log-format", "json", "--report", "run.html")
        #expect(result.status == 0, "\(result.errors)")
        let entries = try result.complaints.map { try JSON(parsing: $0) }
        func tasks(_ event: String) -> [String] {
            entries.filter { $0["event"]?.string == event }.compactMap { $0["task"]?.string }.sorted()
        }
        let names = ["one", "all[Oslo]", "all[Paris]"]
        let inner = names.flatMap {
            ["\($0)/up", "\($0)/list", "\($0)/file", "\($0)/list[1]", "\($0)/list[2]"]
        }
        #expect(tasks("finished") == (inner + names + ["all", "out", "one/big"]).sorted())
        #expect(tasks("skipped") == ["all[Oslo]/big", "all[Paris]/big"])
        #expect(try flow.folder.text("run.html").contains("all[Oslo]"))
    }

    @Test("a failure in an included flow is reported once, with its place in that file")
    func failures() async throws {
        let flow = try FlowCommandRun(
            "{ tasks: { a: { flow: 'in.json5', with: { n: '${1 - 1}' } }, b: { after: 'a', steps: [ { value: 1 } ] } } }"
        )
        try flow.write(
            "{ parameters: { n: 1 }, tasks: { t: { steps: [ { transform: '1 / n' } ] } } }", to: "in.json5")
        let result = try await flow("run", "flow.json5")
        #expect(result.status == 1)
        #expect(
            result.complaints == ["stepline: a failed: a/t: transform (in.json5:1:64): division by zero"],
            "\(result.errors)")
        try flow.write(
            "{ parameters: { n: { minimum: 1, type: 'integer' } }, tasks: { t: { steps: [ { value: '${n}' } ] } } }",
            to: "in.json5")
        #expect(
            try await flow("run", "flow.json5").complaints == [
                #"stepline: a failed: flow in.json5 (flow.json5:1:46): the parameter "n": 0 is less than 1"#
            ])
    }

    @Test("check writes cycles, missing files and wrong parameters of all files to stdout, and exits with 3")
    func mistakes() async throws {
        let flow = try FlowCommandRun(
            """
            { tasks: {
              a: { flow: "lib/b.json5" },
              b: { flow: "flow.json5" },
              c: { flow: "none.json5" },
              d: { flow: "../x.json5" },
              e: { flow: "lib/c.json5", with: { cty: 1, n: "x" } },
              f: { flow: "lib/c.json5", with: { city: "Rome", n: "${length('a') > 2}" } },
              g: { flow: "lib/${'c'}.json5" },
              h: { flow: "lib/c.json5", steps: [ { value: 1 } ], with: { city: null } },
              i: { with: {}, steps: [ { value: 1 } ] },
              j: { flow: "https://h/f.json5" },
              k: { flow: "lib/c.json5", with: ["Oslo"] },
              l: { flow: "lib/c.json5", with: { "": 1 } },
              m: { flow: "lib/c.json5", with: { City: "Oslo" } },
            } }
            """)
        try flow.write(
            "{ tasks: {\n  b: { flow: '../flow.json5' },\n  c: { steps: [ { valu: 1 } ] } } }",
            to: "lib/b.json5")
        try flow.write(
            "{ parameters: { city: { values: ['Oslo'] }, n: 3 }, tasks: { a: { steps: [ { value: '${city} ${n}' } ] } } }",
            to: "lib/c.json5")
        let result = try await flow("check", "flow.json5")
        #expect(result.status == 3 && result.complaints.isEmpty)
        let parent = flow.folder.url.deletingLastPathComponent().resolvingSymlinksInPath().path
        #expect(
            result.output.replacing(parent, with: "PARENT").filledLines == [
                "flow.json5:3:14: error: a file can't run itself",
                "flow.json5:4:14: error: there is no file \"none.json5\"",
                "flow.json5:5:14: error: \"../x.json5\" is outside the workflow's folder (--allow-path PARENT would allow it)",
                "flow.json5:6:37: error: \"lib/c.json5\" has no parameter \"cty\" (did you mean \"city\"?)",
                "flow.json5:6:48: error: the parameter \"n\": \"x\" is no integer",
                "flow.json5:7:43: error: the parameter \"city\": \"Rome\" is none of \"Oslo\"",
                "flow.json5:7:54: error: the parameter \"n\": a truth is no integer",
                "flow.json5:8:14: error: the file that a task runs must be known before the run",
                "flow.json5:9:29: error: \"steps\" has no meaning in a task that runs a flow",
                "flow.json5:10:8: error: \"with\" has no meaning without flow",
                "flow.json5:11:14: error: a task runs files only, and none of https: URLs",
                "flow.json5:12:35: error: with is an object, not a list",
                "flow.json5:13:37: error: an empty name in with",
                "flow.json5:14:37: error: \"lib/c.json5\" has no parameter \"City\" (did you mean \"city\"?)",
                "lib/b.json5:2:14: error: a cycle: flow.json5 runs lib/b.json5 runs flow.json5",
                "lib/b.json5:3:19: error: unknown step \"valu\" (did you mean \"value\"?)",
            ], "\(result.output)")
    }

    @Test("an included file has no more permissions than the outer file, and no flow file is overwritten")
    func permissions() async throws {
        let flow = try FlowCommandRun("{ tasks: { a: { flow: 'in.json5' } } }")
        try flow.write(
            """
            { secrets: { token: { env: "STEPLINE_TEST_TOKEN" } }, tasks: {
              a: { steps: [ { run: ["sh", "-c", "echo $0", "x"] } ] },
              b: { steps: [ { value: { t: "${secrets.token}" } }, { transform: "it.t + 1 / 0" } ] },
            } }
            """, to: "in.json5")
        let refused = try await flow("run", "flow.json5")
        #expect(
            refused.complaints == [
                "stepline: in.json5:2:24: error: the file wants to run sh (--allow-run sh would allow it)",
                "stepline: in.json5:1:14: error: the file wants STEPLINE_TEST_TOKEN of the environment "
                    + "(--allow-env STEPLINE_TEST_TOKEN would allow it)",
            ], "\(refused.errors)")
        let allowed = try await Command.run(
            ["run", "flow.json5", "--allow-run", "sh", "--allow-env", "STEPLINE_TEST_TOKEN"],
            environment: ["STEPLINE_TEST_TOKEN": "geheim1234"], in: flow.folder.url)
        #expect(allowed.status == 1 && !allowed.errors.contains("geheim1234"), "\(allowed.errors)")

        try flow.write(
            "{ tasks: { a: { steps: [ { value: 1 }, { save: 'flow.json5' } ] } } }", to: "in.json5")
        #expect(
            try await flow("check", "flow.json5").output
                == "in.json5:1:49: error: \"flow.json5\" is a file of the workflow itself, or of its store\n")
    }

    @Test(
        "sixteen nested files run, seventeen or more than a million tasks are refused, thousands of tasks run"
    )
    func large() async throws {
        let flow = try FlowCommandRun("{ tasks: { a: { flow: 'f2.json5' } } }")
        func write(_ depth: Int, _ fan: Int) throws {
            for number in 2...depth {
                let tasks = (0..<fan).map { "t\($0): { flow: 'f\(number + 1).json5' }" }.joined(
                    separator: ", ")
                let text = number == depth ? "t: { steps: [ { value: 1 } ] }" : tasks
                try flow.write("{ tasks: { \(text) } }", to: "f\(number).json5")
            }
        }
        try write(16, 1)
        #expect(try await flow("run", "flow.json5").status == 0)
        try write(17, 1)
        #expect(
            try await flow("check", "flow.json5").output.contains("more than 16 files that run each other"))
        try write(9, 14)
        #expect(try await flow("check", "flow.json5").output.contains("more than 1000000 tasks"))
        let count = Chance.isSoak ? 10_000 : 2000
        let many = (0..<count).map { "t\($0): { steps: [ { value: \($0) } ] }" }.joined(separator: ",\n")
        try flow.write("{ tasks: { \(many) }, result: '${tasks.t\(count - 1)}' }", to: "f2.json5")
        try flow.write(
            "{ tasks: { a: { flow: 'f2.json5' }, b: { after: 'a', steps: [ { save: 'b.txt' } ] } } }",
            to: "flow.json5")
        let result = try await flow("run", "flow.json5")
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test("a stored run keeps the result of an included flow, and its files")
    func kept() async throws {
        let flow = try cities()
        for _ in 0..<2 {
            let result = try await flow("run", "flow.json5", "--store", "runs.db", "--key", "k")
            #expect(result.status == 0, "\(result.errors)")
        }
        try FileManager.default.removeItem(at: flow.folder.url.appending(path: "lib/Oslo.txt"))
        let again = try await flow("run", "flow.json5", "--store", "runs.db", "--key", "k")
        #expect(again.status == 0, "\(again.errors)")
        #expect(try flow.folder.names(in: "lib").contains("Oslo.txt"))
    }
}
