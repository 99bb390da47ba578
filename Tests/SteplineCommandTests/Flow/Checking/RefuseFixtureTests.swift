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

    @Test("files without mistakes have no findings", arguments: FlowFixtures.accepted)
    func accepted(name: String) throws {
        let folder = FlowFolder(ofFile: name, in: FlowFixtures.folder.path)
        #expect(try FlowFixtures.source(name).findings(folder: folder).isEmpty)
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

    @Test("with --offline a load from the network is a mistake; data: URLs and files aren't")
    func offline() {
        let source = FlowSource(
            name: "f",
            text: """
                { parameters: { x: "1" }, tasks: {
                  a: { steps: [ { load: "http://h.example/" } ] },
                  b: { steps: [ { load: "https://h.example/${x}" } ] },
                  c: { steps: [ { load: "data:,1" } ] },
                  d: { steps: [ { load: "file.txt" } ] },
                  e: { steps: [ { load: "${x}" } ] },
                } }
                """)
        #expect(source.findings().isEmpty)
        #expect(
            source.findings(isOffline: true) == [
                "2:26: error: the network is out of reach with --offline",
                "3:26: error: the network is out of reach with --offline",
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
