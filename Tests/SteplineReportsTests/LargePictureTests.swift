import Foundation
import SteplineReports
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import SteplineXML
import Testing

@Suite(.timeLimit(.minutes(5)))
struct LargePictureTests {
    /// A graph of random edges to what came shortly before, all of it run.
    private func large(_ count: Int) async throws -> Workflow {
        var generator = Seeded(seed: 7)
        let workflow = Workflow("large", options: WorkflowOptions(keptAttempts: 1))
        var tasks: [TaskRef<Void>] = []
        for index in 0..<count {
            let before = (0..<2).compactMap { _ in
                index == 0 ? nil : tasks[max(0, index - 1 - Int.random(in: 0..<150, using: &generator))]
            }
            tasks.append(try workflow.add("task \(index)", following: before) {})
        }
        try await workflow.run()
        return workflow
    }

    @Test("WF-102: pictures grow linearly: of four times as many tasks they take about four times the text")
    func linear() async throws {
        let small = try await large(2500)
        let big = try await large(10_000)
        for format in PictureFormat.all {
            let (few, many) = (small.picture(as: format).utf8.count, big.picture(as: format).utf8.count)
            #expect(many < 6 * few, "\(format): \(few) and \(many) bytes")
        }
        let html = big.picture(as: .html)
        _ = try XML.Document(string: html, options: .streaming)
        if let folder = ProcessInfo.processInfo.environment["STEPLINE_PICTURES"] {
            try html.write(toFile: folder + "/large.html", atomically: true, encoding: .utf8)
        }
    }

    @Test("WF-102: a chain of ten thousand and ten thousand side by side are drawn, too")
    func extremes() async throws {
        let chain = Workflow("chain")
        var last = try chain.add("0") {}
        for index in 1..<10_000 { last = try chain.add("\(index)", following: [last]) {} }
        let wide = Workflow("wide")
        for index in 0..<10_000 { try wide.add("\(index)") {} }
        for format in PictureFormat.all {
            #expect(!chain.picture(as: format).isEmpty && !wide.picture(as: format).isEmpty)
        }
    }
}
