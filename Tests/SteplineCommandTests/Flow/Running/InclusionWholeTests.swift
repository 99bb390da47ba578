import Foundation
import SteplineJSON
import SteplineTesting
import TestSupport
import Testing

@testable import SteplineCommand

@Suite("Flows that run other flows: what holds for all files of a run", .timeLimit(.minutes(5)))
struct InclusionWholeTests {
    let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    /// A flow whose two inner files load with a secret, read a file of their folder, and call a program.
    private func shop() throws -> FlowCommandRun {
        let flow = try FlowCommandRun(
            """
            { parameters: { server: { required: true } }, tasks: {
              all: { map: ["a", "b"], flow: "lib/load.json5", with: { url: "${server}/${item}" } },
              out: { after: "all", steps: [ { use: "all" }, { save: "out.json" } ] },
            } }
            """)
        try flow.write(
            """
            {
              parameters: { url: { required: true } }, secrets: { key: { env: "KEY" } }, network: { tls: "1.2" },
              tasks: {
                load: { steps: [
                  { load: "${url}", headers: { "X-Key": "${secrets.key}" } }, { parse: "text" } ] },
                local: { steps: [ { load: "in/names.txt" }, { run: ["tr", "a-z", "A-Z"] }, { parse: "text" } ] },
                when: { steps: [ { value: "${now()}" } ] },
              },
              result: { load: "${tasks.load}", local: "${tasks.local}", at: "${tasks.when}" },
            }
            """, to: "lib/load.json5")
        try flow.write("oslo", to: "lib/in/names.txt")
        return flow
    }

    @Test("a run is recorded with the files that it runs, and tested without network, programs and secrets")
    func recorded() async throws {
        server.route("/a", .text("1"))
        server.route("/b", .text("2"))
        let flow = try shop()
        let recorded = try await Command.run(
            [
                "run", "flow.json5", "--record", "flow.tests/one", "--allow-run", "tr", "--allow-env", "KEY",
                "--set", "server=http://127.0.0.1:\(server.port)",
            ], environment: ["KEY": "open sesame"], in: flow.folder.url)
        #expect(recorded.status == 0, "\(recorded.errors)")
        server.stop()
        #expect(try flow.folder.text("flow.tests/one/inputs/lib/in/names.txt") == "oslo")
        try flow.write("other", to: "lib/in/names.txt")
        #expect(try await flow("test", "flow.json5", "--update").status == 0)
        let tested = try await flow("test", "flow.json5")
        #expect(
            tested.status == 0 && tested.output == "passed  one\n1 case, all passed\n", "\(tested.output)")
        let made = try JSON(parsing: flow.folder.text("flow.tests/one/expected/files/out.json"))
        let parts = try #require(made.array)
        #expect(parts.map { $0["load"]?.string } == ["1", "2"] && parts.allSatisfy { $0["local"] == "OSLO" })
        #expect(parts[0]["at"] == parts[1]["at"])
        let files = try FileTree.read(flow.folder.url.appending(path: "flow.tests"))
        #expect(!files.values.contains { String(decoding: $0, as: UTF8.self).contains("sesame") })
    }

    @Test("a file's pools apply to all tasks that include it, and so does --fail-fast")
    func shared() async throws {
        let flow = try FlowCommandRun(
            """
            { tasks: {
              a: { map: [1, 2, 3, 4], flow: "in.json5" }, b: { map: [1, 2, 3, 4], flow: "in.json5" },
            } }
            """)
        // A folder is there while a task runs, and two at once can't both make it.
        let script = "mkdir busy || exit 1; i=0; while [ $i -lt 3000 ]; do i=$((i+1)); done; rmdir busy"
        try flow.write(
            """
            { pools: { one: 1 }, tasks: {
              a: { pool: "one", steps: [ { run: ["sh", "-c", "\(script)"] } ] },
              b: { pool: "one", steps: [ { run: ["sh", "-c", "\(script)"] } ] },
            } }
            """, to: "in.json5")
        let result = try await flow("run", "flow.json5", "--allow-run", "sh")
        #expect(result.status == 0, "\(result.errors)")

        try flow.write("{ tasks: { all: { flow: 'in.json5' } } }", to: "flow.json5")
        try flow.write(
            """
            { concurrency: 1, tasks: {
              bad: { priority: "high", steps: [ { transform: "1 / 0" } ] },
              good: { steps: [ { value: 1 }, { save: "good.json" } ] },
            } }
            """, to: "in.json5")
        for (words, names) in [(["--fail-fast"], [""]), ([], ["good.json"])] {
            let result = try await Command.run(["run", "flow.json5"] + words, in: flow.folder.url)
            #expect(result.status == 1)
            let made = try flow.folder.names(in: "").contains("good.json") ? "good.json" : ""
            #expect([made] == names, "\(words)")
        }
    }

    @Test("a task that runs a file is up to date if what it writes is newer than what it reads")
    func upToDate() async throws {
        let flow = try FlowCommandRun(
            "{ tasks: { a: { flow: 'in.json5', reads: 'in.txt', writes: 'out.txt' } } }")
        try flow.write(
            "{ tasks: { a: { steps: [ { load: 'in.txt' }, { save: 'out.txt' } ] } } }", to: "in.json5")
        for (text, age, made) in [("1", -60.0, "1"), ("2", -60, "1"), ("3", 60, "3")] {
            try flow.write(text, to: "in.txt")
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: age)],
                ofItemAtPath: flow.folder.url.appending(path: "in.txt").path)
            #expect(try await flow("run", "flow.json5").status == 0)
            #expect(try flow.folder.text("out.txt") == made)
        }
    }

    @Test("a failure three files deep is reported under one name, with its place")
    func deep() async throws {
        let flow = try FlowCommandRun("{ tasks: { a: { map: ['x'], flow: 'b.json5' } } }")
        try flow.write("{ tasks: { b: { flow: 'c.json5' } } }", to: "b.json5")
        try flow.write("{ tasks: { c: { steps: [ { transform: '1 / 0' } ] } } }", to: "c.json5")
        let result = try await flow("run", "flow.json5")
        #expect(
            result.complaints == [
                "stepline: a failed: a[x]/b/c: transform (c.json5:1:42): division by zero"
            ], "\(result.errors)")
        try flow.write(
            "{ tasks: { a: { map: ['x', 'y'], flow: 'b.json5', with: { n: '${item}' }, skipFailures: true } } }",
            to: "flow.json5")
        try flow.write(
            "{ parameters: { n: '' }, tasks: { b: { flow: 'c.json5', with: { n: '${n}' } } } }", to: "b.json5"
        )
        try flow.write(
            "{ parameters: { n: '' }, tasks: { c: { steps: [ { transform: \"n == 'y' ? 1 / 0 : 1\" } ] } } }",
            to: "c.json5")
        let some = try await flow("run", "flow.json5")
        #expect(some.status == 0)
        #expect(some.errors.contains("warning: a[y] is left out: a[y]/b/c: transform"), "\(some.errors)")
    }

    @Test("secrets are required only for files that the selected tasks include")
    func unwanted() async throws {
        let flow = try FlowCommandRun(
            "{ tasks: { a: { flow: 'b.json5' }, x: { steps: [ { value: 1 }, { save: 'x.json' } ] } } }")
        try flow.write("{ tasks: { b: { flow: 'c.json5' } } }", to: "b.json5")
        try flow.write(
            "{ secrets: { k: { file: 'key' } }, tasks: { c: { steps: [ { value: '${secrets.k}' } ] } } }",
            to: "c.json5")
        #expect(try await flow("run", "flow.json5", "x").status == 0)
        let all = try await flow("run", "flow.json5")
        #expect(all.status != 0 && all.errors.contains("the secret \"k\""), "\(all.errors)")
    }

    @Test("graph shows the tasks of included files before a run")
    func drawn() async throws {
        let flow = try shop()
        let graph = try await flow("graph", "flow.json5", "--format", "mermaid")
        #expect(graph.status == 0)
        for name in ["all/load", "all/local", "all/when"] { #expect(graph.output.contains(name), "\(name)") }
    }
}
