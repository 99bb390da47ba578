import Foundation
import SteplineXML
import TestSupport
import Testing

@Suite("stepline graph", .timeLimit(.minutes(5)))
struct GraphFlowTests {
    private static let file = """
        { tasks: {
          "a <b>": { steps: [ { value: 1 } ] },
          c: { after: "a <b>", steps: [ { use: "a <b>" } ] },
        } }
        """

    @Test("each format is written to stdout, the default being DOT; nothing is run")
    func formats() async throws {
        let run = try FlowCommandRun(Self.file)
        let standard = try await run("graph", "flow.json5")
        #expect(standard.status == 0 && standard.complaints.isEmpty && standard.output.hasPrefix("digraph"))
        #expect(try await run("graph", "flow.json5", "--format", "dot").data == standard.data)
        #expect(try await run("graph", "flow.json5", "-f", "mermaid").output.contains("flowchart"))
        let svg = try await run("graph", "flow.json5", "--format", "svg")
        let document = try XML.Document(data: svg.data)
        #expect(document.root.localName == "svg" && document.root.text.contains("a <b>"))
        let html = try await run("graph", "flow.json5", "--format", "html")
        #expect(html.output.lowercased().hasPrefix("<!doctype html>"))
    }

    @Test("--out writes a file; a file with mistakes isn't drawn")
    func output() async throws {
        let run = try FlowCommandRun(Self.file)
        let result = try await run("graph", "flow.json5", "-o", "graph.dot")
        #expect(result.status == 0 && result.output == "")
        #expect(try run.folder.text("graph.dot").hasPrefix("digraph"))
        let refused = try await run("graph", "flow.json5", "-o", "graph.dot/below.dot")
        #expect(refused.status == 2 && refused.complaints.count == 1)
        #expect(refused.errors.contains("graph.dot") && refused.errors.contains("is no folder"))
        try run.write("{ tasks: { a: { after: 'b' } } }", to: "bad.json5")
        let bad = try await run("graph", "bad.json5")
        #expect(bad.status == 3 && bad.output == "" && bad.complaints.count == 2)
        #expect(try await run("graph", "flow.json5", "--format", "png").status == 2)
    }
}
