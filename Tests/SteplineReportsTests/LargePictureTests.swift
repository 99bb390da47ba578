import Foundation
import SteplineReports
import SteplineWorkflow
import SteplineXML
import Testing

@Suite(.timeLimit(.minutes(5)))
struct LargePictureTests {
    @Test("WF-102: pictures grow linearly: of four times as many tasks they take about four times the text")
    func linear() async throws {
        let small = try await LargeRun.finished(2500)
        let big = try await LargeRun.finished(10_000)
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
