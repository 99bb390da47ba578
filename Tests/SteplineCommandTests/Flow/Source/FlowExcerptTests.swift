import Foundation
import TestSupport
import Testing

@testable import SteplineCommand

@Suite("Workflow files: where a mistake is", .timeLimit(.minutes(5)))
struct FlowExcerptTests {
    private func excerpts(_ text: String, columns: Int = 60) -> [String] {
        let source = FlowSource(name: "f", text: text)
        var issues = FlowIssues()
        if let file = FlowReader.read(source, &issues) {
            FlowChecker.check(file, folder: nil, &issues)
        }
        return issues.sorted.flatMap {
            FlowExcerpt(of: $0, in: source, columns: columns, isUnicode: true).lines
        }
    }

    @Test(
        "an excerpt has the line and a caret below the place, also in a file that is empty or ends too early",
        arguments: [
            (
                "{ tasks: {\n  \"é日\": {\tsteps: [ { vale: 1 } ] } } }",
                ["2 |   \"é日\": { steps: [ { vale: 1 } ] } } }", "  |                       ^"]
            ),
            ("", ["1 | ", "  | ^"]),
            ("{ tasks: { a: 1\n", ["1 | { tasks: { a: 1", "  |          ^"]),
        ])
    func caret(text: String, expected: [String]) {
        #expect(excerpts(text) == expected)
    }

    @Test("of a long line the part around the place is shown, and none is as wide as the terminal")
    func long() {
        let text =
            "{ tasks: { a: { steps: [ { value: \"" + String(repeating: "x", count: 500)
            + "\" }, { vale: 1 }, { value: \"" + String(repeating: "日", count: 500) + "\" } ] } } }"
        for columns in [20, 40, 41, 80] {
            let lines = excerpts(text, columns: columns)
            #expect(lines.count == 2 && lines.allSatisfy { Columns.width($0) < columns }, "\(lines)")
            let place = Columns.width(String(lines[1].prefix { $0 != "^" }))
            var width = 0
            let below = lines[0].drop { character in
                defer { width += Columns.width(String(character)) }
                return width < place
            }
            #expect("vale: 1".hasPrefix(below.prefix(4)), "\(lines)")
        }
    }

    @Test("check shows it on a terminal, and lines alone to scripts")
    func terminal() async throws {
        let flow = try FlowCommandRun("{ tasks: { a: { steps: [ { vale: 1 } ] } } }")
        let terminal = try Terminal(["check", flow.folder.url.appending(path: "flow.json5").path])
        #expect(await terminal.exitCode() == 3)
        #expect(await terminal.waits(for: "                           ^"))
        #expect(terminal.text.contains("1 | { tasks: { a: { steps: [ { vale: 1 } ] } } }"))
        #expect(try await flow("check", "flow.json5").output.split(separator: "\n").count == 1)
    }
}
