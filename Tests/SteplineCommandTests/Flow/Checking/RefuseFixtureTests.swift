import Foundation
import TestSupport
import Testing

@testable import SteplineCommand

@Suite("Workflow files: mistakes", .timeLimit(.minutes(5)))
struct RefuseFixtureTests {
    @Test("every mistake is told at once, with its place and a guess", arguments: FlowFixtures.refused)
    func mistakes(name: String) throws {
        let source = try FlowFixtures.source("refuse/\(name)")
        let folder = FlowFolder(ofFile: "refuse/\(name)", in: FlowFixtures.folder.path)
        let expected = try FlowFixtures.text("refuse/\(name)").split(separator: "\n")
            .filter { $0.hasPrefix("// ") && $0.contains(": error: ") || $0.contains(": warning: ") }
            .map { $0.dropFirst(3).replacing("REPO", with: FlowFixtures.repository.path) }
            // The command itself reports the engine's own findings.
            .filter { !$0.contains("its deadline is shorter") }
        #expect(!expected.isEmpty)
        #expect(source.findings(folder: folder) == expected.map(String.init))
    }

    @Test("a step that keeps no value may precede a step that begins a value; an empty name is not suggested")
    func effects() {
        func findings(_ task: String) -> [String] {
            FlowSource(name: "f", text: "{ tasks: { \(task) } }").findings()
        }
        #expect(findings(#"a: { steps: [ { run: ["true"] }, { value: 1 } ] }"#).isEmpty)
        #expect(findings(#"a: { steps: [ { value: 1 }, { append: "x.jsonl" }, { value: 2 } ] }"#).isEmpty)
        #expect(findings(#"a: { steps: [ { value: 1 }, { value: 2 } ] }"#).count == 1)
        #expect(
            findings(#""": { steps: [ { value: 1 } ] }, b: { steps: [ { value: "${tasks['xyz']}" } ] }"#) == [
                #"1:12: error: a task needs a name, in one line"#, #"1:71: error: there is no task "xyz""#,
            ])
    }

    @Test("thousands of tasks in a chain, and in a cycle, are checked without overflow")
    func large() {
        let count = Chance.isSoak ? 10_000 : 4000
        func chain(_ first: String) -> FlowSource {
            var text = "{ tasks: { t0: { after: [\(first)], steps: [ { value: 1 } ] },\n"
            for number in 1..<count {
                text += "t\(number): { after: 't\(number - 1)', steps: [ { use: 't\(number - 1)' } ] },\n"
            }
            return FlowSource(name: "f", text: text + "} }")
        }
        #expect(chain("").findings().isEmpty)
        #expect(chain("'t\(count - 1)'").findings().count == 1)
    }
}
