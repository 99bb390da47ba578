import Foundation
import Stepline

/// Tolerates a failure: the report lists it, and the run succeeds.
enum LiveWithFailures {
    static func run(_ site: URL, print: Print) async throws {
        let workflow = Workflow("page")
        let article = try workflow.addPipeline("article") { URLLoadStep(site.appending(path: "article")) }
        let quotes = try workflow.addPipeline("quotes") { URLLoadStep(site.appending(path: "quotes")) }
        let page = try workflow.add("page", after: article, quotes.allowingFailure) { article, quotes in
            let margin = (try? quotes.get()).map { String(decoding: $0, as: UTF8.self) }
            return "\(String(decoding: article, as: UTF8.self)) | \(margin ?? "no quotes today")"
        }
        let report = try await workflow.run()
        print(try await page.value)
        for failure in report.failures { print("done without \(failure.task)") }
    }
}
