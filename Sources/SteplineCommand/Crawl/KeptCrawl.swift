import Foundation
import SteplineRuns
import SteplineWorkflow

/// A crawl that is kept in a store.
final class KeptCrawl: KeptRun {
    let id: RunID
    private let store: any RunStore
    private let input: CrawlInput
    private let retriesFailures: Bool

    /// Opens the store; nil without `--store`.
    ///
    /// - Throws: `UsageError` if the store has the crawl with other options.
    init?(_ plan: CrawlPlan, _ arguments: Arguments, _ session: Session) throws {
        guard let place = arguments[.store] else {
            guard arguments[.crawlKey] == nil, !arguments.isOn(.retryingFailures) else {
                throw UsageError("--key and --retrying-failures need --store")
            }
            return nil
        }
        store = try session.storePlace(place).open()
        id = RunID(CrawlCommand.workflow, key: arguments[.crawlKey] ?? plan.input.crawl.first ?? "")
        input = plan.input
        retriesFailures = arguments.isOn(.retryingFailures)
        guard let run = try store.run(id) else { return }
        let before = CrawlInput(kept: run.input)
        guard before != input else { return }
        throw UsageError(
            "\(id) was begun "
                + (before.map { "as: stepline crawl \($0.words); give the same options" }
                    ?? "by another program")
                + ", or another --key")
    }

    func run(_ workflow: Workflow, opened: @escaping @Sendable (OpenedRun) -> Void) async throws {
        _ = try await workflow.run(
            in: store, key: id.key, retryingFailures: retriesFailures, input: input.data(), opened: opened)
    }

    /// Calls a closure with each committed row; a result that can't be read is loaded again by the run.
    func forEachRow(_ body: (CrawlRow) throws -> Void) throws {
        guard try store.run(id) != nil else { return }
        try store.forEachResult(ofStepsWith: CrawlCommand.map + "[", in: id, as: CrawlRow.self, body)
    }

    func skips(in workflow: Workflow) -> SkipsElsewhere? { nil }

    var hint: String? {
        switch try? store.run(id)?.state {
        case .interrupted, .incomplete: "to continue, run the same command again"
        case .failed: "to load the failed pages again, add --retrying-failures to the same command"
        case .cancelled: "the crawl is cancelled; to continue all the same, add --retrying-failures"
        case .waiting, .running, .finished, nil: nil
        }
    }
}
