import Foundation
import Stepline
import SteplineRuns

/// Adds up the sizes of a site's pages in a workflow; a store keeps the finished steps.
enum SurveyWithStepline {
    static func run(_ site: URL, keptIn file: URL) async throws -> Int {
        let workflow = Workflow("survey")
        let pages = try workflow.add("pages") {
            try await Pipeline.run {
                URLLoadStep(site.appending(path: "pages"))
                JSONDecodeStep<[String]>()
            }
        }
        let sizes = try workflow.map("size", over: pages, limit: 4, key: { $0 }) { page in
            try await Pipeline.loading(site.appending(path: page)).run().count
        }
        let total = try workflow.add("total", after: sizes) { sizes in sizes.reduce(0, +) }
        try await workflow.run(in: .file(file), key: "today")
        return try await total.value
    }
}
