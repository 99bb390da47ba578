import Foundation
import Stepline

/// Loads many URLs with a limit, retries transient errors, and reports failures.
enum LoadAThousand {
    static func run(_ urls: [URL], print: Print) async throws {
        let workflow = Workflow("load", options: .init(keptAttempts: 4))
        let patient = TaskOptions(retry: .exponential(attempts: 4, base: .milliseconds(20)))
        let pages = try workflow.mapCollectingFailures("page", over: urls, limit: 16, options: patient) {
            try await Pipeline.loading($0).run()
        }
        let report = try await workflow.run()

        let loaded = try await pages.value.compactMap { try? $0.get() }
        print("loaded \(loaded.count) of \(urls.count), \(loaded.map(\.count).reduce(0, +)) bytes")
        print("tried again: \(report.attempts.count { $0.number > 1 })")
        for (url, page) in zip(urls, try await pages.value) {
            guard case .failure(let error as PipelineError) = page else { continue }
            print("\(url.path()): status \(error.underlying(as: RequestError.self)?.statusCode ?? 0)")
        }
    }
}
