import Foundation
import Stepline

/// Loads and decodes many URLs in a workflow.
enum LoadWithStepline {
    static func run(_ urls: [URL]) async throws -> LoadReport {
        let workflow = Workflow("cities")
        let patient = TaskOptions(retry: .exponential(attempts: 4, base: .milliseconds(20)))
        let cities = try workflow.mapCollectingFailures("city", over: urls, limit: 8, options: patient) {
            url in
            try await Pipeline.run {
                URLLoadStep(url)
                JSONDecodeStep<City>()
            }
        }
        try await workflow.run()
        return LoadReport(urls, try await cities.value)
    }
}
