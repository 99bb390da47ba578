import Foundation
import Testing

@Suite("stepline check, explain and schema", .timeLimit(.minutes(5)))
struct CheckExplainTests {
    @Test("check tells all mistakes on stdout as lines with their places, and exits with 3")
    func check() async throws {
        let run = try FlowCommandRun(
            """
            { nmae: "x", tasks: {
              a: { after: "b", steps: [ { vale: 1 } ] },
              b: { steps: [ { select: "$.[" }, { save: "/x" } ] },
            } }
            """)
        let result = try await run("check", "flow.json5")
        #expect(result.status == 3 && result.errors == "")
        #expect(
            result.output == """
                flow.json5:1:3: error: unknown key "nmae" in a workflow file (did you mean "name"?)
                flow.json5:2:31: error: unknown step "vale" (did you mean "value"?)
                flow.json5:3:30: error: malformed JSONPath: a name, * or [ is expected (leave out the dot before [)
                flow.json5:3:45: error: "/x" is outside the workflow's folder (--allow-path / would allow it)

                """)
    }

    @Test("check of a good file says so; warnings alone are no failure")
    func fine() async throws {
        let run = try FlowCommandRun("{ tasks: { a: { steps: [ { value: 1 } ] } } }")
        let result = try await run("check", "flow.json5")
        #expect(
            result.status == 0 && result.output == "flow.json5: no mistakes, 1 task\n" && result.errors == "")
        try run.write(
            "{ parameters: { p: 1 }, tasks: { a: { timeout: '2m', deadline: '1m', steps: [ { value: 1 } ] } } }",
            to: "warned.json5")
        let warned = try await run("check", "warned.json5")
        #expect(warned.status == 0)
        #expect(
            warned.output == """
                warned.json5:1:17: warning: the parameter "p" is never used
                warned.json5:1:34: warning: a: its deadline is shorter than its time-out

                """)
    }

    @Test("control characters of a file's names reach no terminal")
    func control() async throws {
        let run = try FlowCommandRun(
            "{ '\\u001b[2J': 1, tasks: { a: { steps: [ { use: '\\u001b]0;x' } ] } } }")
        let result = try await run("check", "flow.json5")
        #expect(result.status == 3 && !result.output.unicodeScalars.contains("\u{1B}"))
    }

    @Test("explain says what a task waits for, how it is run, and what it would read, write and run")
    func explain() async throws {
        let run = try FlowCommandRun(
            """
            {
              parameters: { host: "h.example" },
              pools: { few: 2 },
              tasks: {
                list: { steps: [ { value: [1, 2] } ] },
                other: { steps: [ { value: 1 } ] },
                each: {
                  description: "Does much",
                  after: ["list", "other"], allowFailure: ["other"],
                  map: "${tasks.list}", limit: 3, pool: "few", retry: 4, timeout: "30s", priority: "high",
                  steps: [
                    { load: "https://${host}/${item}" },
                    { run: ["jq", "-r", ".x"] },
                    { parse: "text" },
                    { transform: "upper(it)" },
                    { save: "out/${item}.txt" },
                  ],
                },
                last: { after: "each", steps: [ { select: "$[*]" } ] },
              },
            }
            """)
        let result = try await run("explain", "flow.json5", "each")
        #expect(result.status == 0 && result.errors == "")
        #expect(
            result.output == """
                each: Does much
                  waits for      list, other (which may fail)
                  waited for by  last
                  runs for       each element of ${tasks.list}, at most 3 at once
                  tries          up to 4 times
                  takes          each attempt at most 30.0 seconds
                  pools          1 of few
                  priority       high
                  parameters     host = "h.example" (string)
                  reads          https://h.example/${item}
                  writes         out/${item}.txt
                  runs           jq -r .x
                  steps
                    1. load https://h.example/${item} (line 12)
                    2. run jq -r .x (line 13)
                    3. parse text (line 14)
                    4. transform upper(it) (line 15)
                    5. save to out/${item}.txt (line 16)

                """)
        let unknown = try await run("explain", "flow.json5", "eech")
        #expect(
            unknown.status == 2
                && unknown.errors.contains("flow.json5 has no task 'eech'; did you mean each?"))
    }

    @Test("schema writes the schema that ships")
    func schema() async throws {
        let shipped = FlowFixtures.repository.appending(
            path: "Sources/SteplineCommand/Flow/Schema/flow.schema.json")
        let result = try await FlowCommandRun()("schema")
        #expect(try result.status == 0 && result.data == Data(contentsOf: shipped))
    }
}
