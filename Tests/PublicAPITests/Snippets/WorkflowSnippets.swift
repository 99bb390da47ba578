import Foundation
import Stepline
import SteplineTesting
import Testing

/// The guide's snippets, as a user writes them.
@Suite(.timeLimit(.minutes(1)))
struct WorkflowSnippetTests {
    final class Upload: WorkflowTask, @unchecked Sendable {  // adds nothing
        override func main() {
            let attempt = currentAttempt
            attempt.onCancel {}
            attempt.finish(with: "uploaded")
        }
    }

    @Test("WF-38: the typed form of the guide")
    func typed() async throws {
        let workflow = Workflow("mirror")
        let page = try workflow.add("load") { () async throws -> String in "a b" }
        let links = try workflow.add("links", after: page) { page in
            page.split(separator: " ").map(String.init)
        }
        let report = try workflow.add("report", after: page, links.allowingFailure) { page, links in
            "\(page): \(try links.get().count)"
        }
        let result = try await workflow.run()
        #expect(result.outcome == .finished)
        #expect(report.result == "a b: 2")
    }

    @Test("WF-4, WF-72: subclasses and pipelines side by side")
    func objects() async throws {
        let workflow = Workflow("order")
        let upload = try workflow.add(Upload(name: "upload"))
        let text = try workflow.add(
            PipelineTask(name: "text") {
                Pipeline { BlockStep { (text: String) in text.uppercased() } }
            }, prerequisites: [upload])
        try await workflow.run()
        #expect((text.result as? Content)?.bodyObject as? String == "UPLOADED")
    }
}
