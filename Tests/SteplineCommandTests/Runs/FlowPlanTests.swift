import Foundation
import SteplineJSON
import TestSupport
import Testing

@Suite("stepline run --plan", .timeLimit(.minutes(5)))
struct FlowPlanTests {
    private static let base = """
        { parameters: { city: "Oslo", unit: "C" }, namespaces: { a: "urn:a" },
          tasks: {
            a: { steps: [ { value: "${city}" } ] },
            b: { after: "a", steps: [ { use: "a" }, { transform: "it + '!'" } ] },
            c: { steps: [ { value: "${unit}" } ] },
            inner: { flow: "inner.json5", with: { x: "1" } },
            each: { map: ["p", "q"], key: "item", steps: [ { value: "${item}" } ] },
          }, result: "${tasks.b}" }
        """
    private static let inner = """
        { parameters: { x: "0" }, tasks: {
          one: { steps: [ { value: "${x}" } ] }, two: { after: "one", steps: [ { use: "one" } ] },
        }, result: "${tasks.two}" }
        """

    /// Runs the base flow, and returns the folder with its store.
    private func begun() async throws -> FlowCommandRun {
        let flow = try FlowCommandRun(Self.base)
        try flow.write(Self.inner, to: "inner.json5")
        let result = try await flow("run", "flow.json5", "--store", "runs.db", "--key", "k")
        #expect(result.status == 0, "\(result.errors)")
        return flow
    }

    /// Returns the plan's steps by name, each with action and explanation.
    private func plan(_ flow: FlowCommandRun) async throws -> [String: (action: String, why: String)] {
        let result = try await flow(
            "run", "flow.json5", "--store", "runs.db", "--key", "k", "--plan", "--json")
        #expect(result.status == 0, "\(result.errors)")
        let steps = try JSON(parsing: result.output)["steps"]?.array ?? []
        return Dictionary(
            uniqueKeysWithValues: steps.map { step in
                (
                    step["step"]?.string ?? "",
                    (step["action"]?.string ?? "", step["explanation"]?.string ?? "")
                )
            })
    }

    /// Returns the names of the steps to run after an edit of a file.
    private func runs(
        _ flow: FlowCommandRun, _ replaced: String, _ with: String, in file: String = "flow.json5"
    ) async throws -> [String] {
        let text = file == "flow.json5" ? Self.base : Self.inner
        #expect(text.contains(replaced))
        try flow.write(text.replacing(replaced, with: with), to: file)
        let steps = try await plan(flow)
        try flow.write(text, to: file)
        return steps.filter { $0.value.action == "runs" }.keys.sorted()
    }

    @Test(
        "DR-64: layout, comments, order of keys, policies, descriptions and other tasks don't change a task")
    func sameMeaning() async throws {
        let flow = try await begun()
        let edits = [
            ("a: { steps", "// a comment\n\n   a:   { steps"),
            (
                "{ after: \"a\", steps: [ { use: \"a\" }, { transform: \"it + '!'\" } ] }",
                "{ steps: [ { 'use': \"a\" }, { \"transform\": 'it + \\'!\\'' } ], after: [\"a\"] }"
            ),
            ("c: { steps", "c: { description: 'x', timeout: '9s', retry: 3, steps"),
            ("\"Oslo\"", "{ default: \"Oslo\", description: 'x', pattern: '.*' }"),
            ("unit: \"C\"", "other: 5, unit: \"C\""),
            ("result: \"${tasks.b}\"", "result: 7, concurrency: 3"),
            ("{ a: \"urn:a\" }", "{ a: \"urn:b\" }"),
        ]
        for (old, new) in edits { #expect(try await runs(flow, old, new) == [], "\(new)") }
        #expect(
            try await runs(flow, "{ parameters", "// x\n{ name: 'y', parameters", in: "inner.json5") == [])
        #expect(try await runs(flow, "c: {", "new: { steps: [ { value: 1 } ] }, c: {") == ["new"])
    }

    @Test("DR-64: steps, named parameters, included files and key functions change a task and what follows")
    func otherMeaning() async throws {
        let flow = try await begun()
        let edits: [(file: String, old: String, new: String, steps: [String])] = [
            ("flow.json5", "\"${city}\"", "\"in ${city}\"", ["a", "b"]),
            ("flow.json5", "it + '!'", "it + '?'", ["b"]),
            ("flow.json5", "\"Oslo\"", "\"Rome\"", ["a", "b"]),
            ("flow.json5", "unit: \"C\"", "unit: \"F\"", ["c"]),
            ("flow.json5", "x: \"1\"", "x: \"2\"", ["inner"]),
            ("inner.json5", "\"${x}\"", "\"<${x}>\"", ["inner"]),
            ("inner.json5", "result: \"${tasks.two}\"", "result: \"${tasks.one}\"", ["inner"]),
            (
                "flow.json5", "key: \"item\"", "key: \"item + 'x'\"",
                ["each", "each list", "each[p]", "each[q]"]
            ),
        ]
        for (file, old, new, steps) in edits {
            #expect(try await runs(flow, old, new, in: file) == steps, "\(new)")
        }
    }

    @Test("DR-64: order counts where it is the order of results: of columns, and of lists that are combined")
    func order() async throws {
        let flow = try FlowCommandRun(
            """
            { tasks: {
              rows: { steps: [ { value: [{ x: 1, y: 2 }] }, { columns: { a: "$.x", b: "$.y" } } ] },
              pairs: { map: { os: [1], version: [2] }, steps: [ { value: "${item.os}" } ] },
              object: { steps: [ { value: { os: 1, version: 2 } } ] },
            } }
            """)
        #expect(try await flow("run", "flow.json5", "--store", "runs.db", "--key", "k").status == 0)
        try flow.write(
            """
            { tasks: {
              rows: { steps: [ { value: [{ y: 2, x: 1 }] }, { columns: { b: "$.y", a: "$.x" } } ] },
              pairs: { map: { version: [2], os: [1] }, steps: [ { value: "${item.os}" } ] },
              object: { steps: [ { value: { version: 2, os: 1 } } ] },
            } }
            """, to: "flow.json5")
        let steps = try await plan(flow)
        #expect(steps["rows"]?.action == "runs" && steps["pairs"]?.action == "runs")
        #expect(steps["object"]?.action == "kept")
    }

    @Test("DR-63: a plan names what has changed in a task, and the steps that are gone")
    func reasons() async throws {
        let flow = try await begun()
        try flow.write(
            Self.base.replacing("\"${city}\"", with: "\"in ${city}\"").replacing(
                "unit: \"C\"", with: "unit: \"F\""
            )
            .replacing("each: {", with: "every: {"), to: "flow.json5")
        try flow.write(Self.inner.replacing("\"${x}\"", with: "\"<${x}>\""), to: "inner.json5")
        let steps = try await plan(flow)
        let reasons = [
            "a": "its steps changed", "c": "its parameters changed", "inner": "its included file changed",
            "b": "a runs", "every": "it hasn't run yet",
        ]
        for (name, why) in reasons { #expect(steps[name]?.why == why, "\(name)") }
        for name in ["each", "each list", "each[p]", "each[q]"] { #expect(steps[name]?.action == "gone") }
        let run = try await flow("run", "flow.json5", "--store", "runs.db", "--key", "k")
        #expect(run.status == 0)
        #expect(
            run.errors.contains("in the store, but not in flow: 4 steps (each, each list, each[p], each[q])"))
        #expect(try await plan(flow)["each"]?.action == "gone")
    }

    @Test("DR-63: a saved file that is missing is a reason, and --dry-run is the same as --plan")
    func goneFile() async throws {
        let flow = try FlowCommandRun(
            "{ tasks: { a: { steps: [ { value: 1 }, { save: 'a.json' } ] }, b: { steps: [ { value: 2 } ] } } }"
        )
        #expect(try await flow("run", "flow.json5", "--store", "runs.db", "--key", "k").status == 0)
        try FileManager.default.removeItem(at: flow.folder.url.appending(path: "a.json"))
        // SQLite may remove its own files once the run is closed.
        func names() throws -> [String] { try flow.folder.names().filter { !$0.hasPrefix("runs.db-") } }
        let before = try names()
        let result = try await flow("run", "flow.json5", "--store", "runs.db", "--key", "k", "--dry-run")
        #expect(
            result.output == """
                flow/k: 1 kept, 1 to run
                plan  step  why
                runs  a     a file that it made is missing or changed
                kept  b     it has finished

                """)
        #expect(try names() == before && result.errors.isEmpty, "\(result.errors)")
    }

    @Test("DR-63: a plan makes no store, reads no secret and runs no program")
    func nothingRun() async throws {
        let flow = try FlowCommandRun(
            """
            { secrets: { token: { command: ["sh", "-c", "touch ran; echo s"] } }, tasks: {
              a: { steps: [ { run: ["sh", "-c", "touch ran"] } ] },
              b: { after: "a", steps: [ { load: "http://127.0.0.1:9/", headers: { X: "${secrets.token}" } } ] },
            } }
            """)
        let names = try flow.folder.names()
        let result = try await flow(
            "run", "flow.json5", "--allow-run", "sh", "--store", "runs.db", "--key", "k", "--plan")
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.hasPrefix("flow/k: 2 to run\n"))
        #expect(try flow.folder.names() == names)
        let recorded = try await flow(
            "run", "flow.json5", "--allow-run", "sh", "--plan", "--report", "r.html")
        #expect(recorded.status == 2 && recorded.errors.contains("leave out --report"))
    }

    @Test("without a store a plan goes by the files that tasks write")
    func withoutStore() async throws {
        let flow = try FlowCommandRun(
            """
            { tasks: {
              a: { writes: "a.json", steps: [ { value: 1 }, { save: "a.json" } ] },
              b: { writes: "b.json", steps: [ { value: 2 }, { save: "b.json" } ] },
            } }
            """)
        #expect(try await flow("run", "flow.json5", "a").status == 0)
        let result = try await flow("run", "flow.json5", "--plan")
        #expect(
            result.output == """
                flow: 1 kept, 1 to run
                plan  step  why
                kept  a     its files are up to date
                runs  b     nothing is kept without a store

                """, "\(result.errors)")
        #expect(try flow.folder.names() == ["a.json", "flow.json5"])
    }
}
