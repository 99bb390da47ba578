import Foundation
import SteplineReports
import SteplineWorkflow
import SteplineXML
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct LargePictureTests {
    @Test("WF-102: the pictures of four times as many tasks have at most six times the text")
    func linear() async throws {
        let count = Chance.isSoak ? 2500 : 250
        let small = try await LargeRun.finished(count)
        let big = try await LargeRun.finished(4 * count)
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

    @Test("WF-102: a long chain and many tasks side by side are drawn")
    func extremes() async throws {
        let count = Chance.isSoak ? 10_000 : 1_000
        let chain = Workflow("chain")
        var last = try chain.add("0") {}
        for index in 1..<count { last = try chain.add("\(index)", following: [last]) {} }
        let wide = Workflow("wide")
        for index in 0..<count { try wide.add("\(index)") {} }
        for format in PictureFormat.all {
            #expect(!chain.picture(as: format).isEmpty && !wide.picture(as: format).isEmpty)
        }
    }
}
