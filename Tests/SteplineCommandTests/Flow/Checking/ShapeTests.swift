import Foundation
import TestSupport
import Testing

@testable import SteplineCommand

@Suite("Workflow files: kinds of values between steps", .timeLimit(.minutes(5)))
struct ShapeTests {
    private func findings(_ steps: String, _ more: String = "") -> [String] {
        FlowSource(
            name: "f",
            text: "{ parameters: { n: 3, list: ['a'] }, tasks: { a: { steps: [ \(steps) ] }\(more) } }"
        ).findings().filter { !$0.contains("is never used") }.map {
            $0.split(separator: " ").dropFirst().joined(separator: " ")
        }
    }

    @Test("a text of the only prerequisite is known, too, unless the prerequisite may fail")
    func prerequisite() {
        let more = ", b: { after: 'a', steps: [ { each: 'it' } ] }"
        #expect(findings("{ value: 'x' }", more) == ["error: each expects a list, not a text"])
        let mayFail = ", b: { after: 'a', allowFailure: 'a', steps: [ { each: 'it' } ] }"
        #expect(findings("{ value: 'x' }", mayFail) == [])
        let used = ", b: { after: 'a', steps: [ { use: 'a' }, { each: 'it' } ] }"
        #expect(findings("{ value: 'x' }", used).count == 1)
    }

    @Test(
        "an each, filter or save that doesn't fit the kind of its value is a mistake before the run",
        arguments: [
            ("{ value: 'x' }, { each: 'it' }", "each expects a list, not a text"),
            ("{ value: '${n}' }, { filter: 'it > 1' }", "filter expects a list, not a number"),
            ("{ load: 'x' }, { parse: 'text' }, { each: 'it' }", "each expects a list, not a text"),
            (
                "{ value: [1] }, { transform: 'length(it)' }, { each: 'it' }",
                "each expects a list, not a number"
            ),
            ("{ load: 'http://h/', answer: true }, { each: 'it' }", "each expects a list, not an object"),
            ("{ value: 'x' }, { save: 'x.csv' }", "csv expects a list, not a text"),
            ("{ value: { a: 1 } }, { save: 'x.jsonl' }", "jsonl expects a list, not an object"),
            ("{ value: 1 }, { save: 'x', format: 'tsv' }", "tsv expects a list, not a number"),
            ("{ value: { a: 1 } }, { save: 'out/${n}.csv' }", "csv expects a list, not an object"),
            ("{ value: 1 }, { save: { in: 'out', name: '${n}.csv' } }", "csv expects a list, not a number"),
            ("{ value: ['a', 'b'] }, { save: 'x.csv' }", "the rows of csv are objects"),
            ("{ value: '${list}' }, { each: 'upper(it)' }, { save: 'x.tsv' }", "the rows of tsv are objects"),
            ("{ value: [1] }, { save: 'x.yaml' }", "a list is written as JSON, not as yaml"),
            ("{ value: [1] }, { save: 'x.xlsx' }", "no step writes xlsx files"),
            ("{ value: 'x' }, { save: 'x.PDF' }", "no step writes pdf files"),
            ("{ value: [1] }, { append: 'x.parquet' }", "no step writes parquet files"),
            ("{ load: 'http://h/' }, { parse: 'json' }, { save: 'x.zip' }", "no step writes zip files"),
        ])
    func mistakes(steps: String, message: String) {
        let found = findings(steps)
        #expect(found.count == 1 && found[0].hasPrefix("error: " + message), "\(found)")
    }

    @Test(
        "a save that may fit, or whose format is written, is no mistake",
        arguments: [
            "{ value: [{ a: 1 }] }, { save: 'x.csv' }", "{ value: [] }, { save: 'x.csv' }",
            "{ value: 'x' }, { save: 'x.html' }", "{ value: [1] }, { save: 'x.html', format: 'json' }",
            "{ value: 'x' }, { save: 'x.zip', format: 'text' }",
            "{ load: 'http://h/a.xlsx' }, { save: 'a.xlsx' }",
            "{ value: [1, 'a'] }, { save: 'x.jsonl' }", "{ value: { a: 1 } }, { append: 'x.csv' }",
            "{ load: 'http://h/' }, { parse: 'json' }, { each: 'it.a' }, { save: 'x.csv' }",
            "{ load: 'http://h/' }, { parse: 'json' }, { filter: 'it.a > 1' }, { save: 'x.${n}' }",
            "{ value: 'x' }, { save: '.csv' }", "{ value: [1] }, { save: 'x' }, { save: 'x.dat' }",
        ])
    func fits(steps: String) {
        #expect(findings(steps) == [])
    }

    @Test("a computed name whose format nothing writes fails the step")
    func computed() async throws {
        let flow = try FlowCommandRun(
            "{ parameters: { to: 'x.xlsx' }, tasks: { a: { steps: [ { value: [1] }, { save: '${to}' } ] } } }"
        )
        let result = try await flow("run", "flow.json5")
        #expect(result.status == 1 && result.errors.contains("no step writes xlsx files"), "\(result.errors)")
        #expect(try flow.folder.names() == ["flow.json5"])
    }
}
