import Foundation
import SteplineJSON
import TestSupport
import Testing

@testable import SteplineCommand

@Suite("stepline check and schema", .timeLimit(.minutes(5)))
struct CheckSchemaTests {
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

    @Test("schema writes the schema that the table of keys gives")
    func schema() async throws {
        let result = try await FlowCommandRun()("schema")
        #expect(try result.status == 0 && JSON(parsing: result.data) == FlowSchema.json())
    }
}
