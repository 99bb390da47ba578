import Foundation
import SteplineJSON
import TestSupport
import Testing

@testable import SteplineCommand

@Suite("stepline check, explain and schema", .timeLimit(.minutes(5)))
struct CheckExplainTests {
    /// The places of findings, their severities and what they quote first, a line each.
    private func places(_ output: String) -> [String] {
        output.split(separator: "\n").map { line in
            let parts = line.split(separator: " ", maxSplits: 2)
            let quoted = line.split(separator: "\"", omittingEmptySubsequences: false).dropFirst().first
            return (parts.prefix(2) + [quoted ?? ""]).joined(separator: " ")
        }
    }

    @Test("check of a file with warnings only exits with 0")
    func warnings() async throws {
        let run = try FlowCommandRun(
            "{ parameters: { p: 1 }, tasks: { a: { timeout: '2m', deadline: '1m', steps: [{value: 1}] } } }")
        let result = try await run("check", "flow.json5")
        #expect(result.status == 0)
        #expect(places(result.output) == ["flow.json5:1:17: warning: p", "flow.json5:1:34: warning: "])
    }

    @Test("control characters in names of a file do not reach the output")
    func control() async throws {
        let run = try FlowCommandRun(
            "{ '\\u001b[2J': 1, tasks: { a: { steps: [ { use: '\\u001b]0;x' } ] } } }")
        let result = try await run("check", "flow.json5")
        #expect(result.status == 3 && !result.output.unicodeScalars.contains("\u{1B}"))
    }

    @Test("explain writes what a task waits for, how it runs, and what it reads, writes and runs")
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
                  map: "${tasks.list}", concurrency: 3, pool: "few", retry: 3, timeout: "30s", priority: "high",
                  steps: [
                    { load: "https://${host}/${item}" },
                    { run: ["jq", "-r", ".x"] },
                    { parse: "text" },
                    { transform: "upper(it)" },
                    { save: "out/${item}.txt" },
                  ],
                },
                last: { after: "each", retry: 0, steps: [ { select: "$[*]" } ] },
              },
            }
            """)
        let result = try await run("explain", "flow.json5", "each")
        #expect(result.status == 0 && result.complaints.isEmpty)
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
        let last = try await run("explain", "flow.json5", "last").output.split(separator: "\n")
        #expect(last.contains { $0.hasPrefix("  tries ") && $0.hasSuffix(" once") }, "\(last)")
        let unknown = try await run("explain", "flow.json5", "eech")
        #expect(
            unknown.status == 2
                && unknown.errors.contains("'eech'") && unknown.errors.contains("each?"))
    }

    @Test("schema writes the schema that the table of keys gives")
    func schema() async throws {
        let result = try await FlowCommandRun()("schema")
        #expect(try result.status == 0 && JSON(parsing: result.data) == FlowSchema.json())
    }
}
