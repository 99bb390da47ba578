import Foundation
import Stepline
import SteplineRuns

/// Resumes after a kill: finished work is kept in a file, and isn't repeated.
enum ResumeAfterAKill {
    static func nightly(_ site: URL) throws -> Workflow {
        let workflow = Workflow("nightly")
        let prices = try workflow.addPipeline("prices") { URLLoadStep(site.appending(path: "prices")) }
        let orders = try workflow.add("orders", after: prices) { prices in prices.count }
        try workflow.add("invoices", after: orders) { _ in
            try await Pipeline.loading(site.appending(path: "invoices")).run()
        }
        return workflow
    }

    static func run(_ site: URL, file: URL, kill: () async -> Void, print: Print) async throws {
        let first = Task { try await nightly(site).run(in: .file(file), key: "2026-11-22") }
        await kill()
        first.cancel()
        if case .failure(is CancellationError) = await first.result { print("killed") }

        let second = try await nightly(site).run(in: .file(file), key: "2026-11-22")
        print("restored: \(second.restored.joined(separator: ", "))")
        print("executed: \(second.executed.joined(separator: ", "))")
    }
}
