import SteplineWorkflow

@testable import SteplineRuns

/// Workers of this process, beside the owner of a run.
enum WorkersBeside {
    /// Runs a workflow by workers, each of which builds it anew, to its end; each asks for its store.
    @discardableResult
    static func run(
        _ owner: Workflow, in store: () throws -> any SharedRunStore, workers count: Int = 3,
        slots: Int = 2, key: String = "k", tell: @escaping @Sendable (WorkerNews) -> Void = { _ in },
        build: @escaping @Sendable () throws -> Workflow
    ) async throws -> DurableReport {
        let workers = try (0..<count).map { _ in
            try StepWorker(
                of: owner.name, in: store(), WorkerSettings(slots: slots), build: { _ in try build() },
                tell: tell)
        }
        let working = workers.map { worker in Task { try await worker.run() } }
        let report: Result<DurableReport, any Error>
        do {
            report = .success(
                try await owner.run(
                    in: store(), key: key, retryingFailures: false, input: nil, on: .workers
                ) { _ in })
        } catch { report = .failure(error) }
        for worker in workers { worker.leave() }
        for task in working { try await task.value }
        return try report.get()
    }
}
