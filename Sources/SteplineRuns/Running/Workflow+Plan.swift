package import Foundation
import SteplineSupport
public import SteplineWorkflow

extension Workflow {
    /// Returns what ``run(in:key:retryingFailures:ifInProgress:)`` would do with each step; runs and writes nothing.
    ///
    ///     let plan = try await workflow.plan(in: .file("mirror.runs"), key: "2026-11-22")
    ///     for step in plan.steps where step.action == .runs { print(step) }
    ///
    /// The workflow can still be run. The plan holds for the store as it is now.
    ///
    /// - Parameters:
    ///   - store: The store that keeps the run.
    ///   - key: The key of the run, 1 to 1,024 bytes.
    ///   - retryingFailures: Whether the run would run failed steps again.
    /// - Returns: All steps of the workflow, and those that only the store has.
    /// - Throws: The errors with which a run would be refused, such as a `RunStoreError` with the code `inProgress`.
    public func plan(
        in store: some RunStore, key: String, retryingFailures: Bool = false
    ) async throws -> DurablePlan {
        try await plan(in: store, key: key, retryingFailures: retryingFailures, input: nil)
    }

    /// Returns the plan of a run with an input, which counts if the run is new; `words` explains changed versions.
    package func plan(
        in store: any RunStore, key: String, retryingFailures: Bool, input: Data?,
        words: @escaping @Sendable (_ old: Int, _ new: Int) -> (reason: PlannedStep.Reason, text: String)? = {
            _, _ in nil
        }
    ) async throws -> DurablePlan {
        let id = RunID(name, key: key)
        let graph = try RunGraph(checking: self, for: id)
        let clock = options.clock
        return try await Blocking.call {
            let record = try store.run(id)
            // A living owner would change the steps while the plan is made.
            if let record, record.isOpen {
                throw RunStoreError.inProgress(id, store: store.name, owner: record.owner)
            }
            try record?.checkCancellation(retryingFailures: retryingFailures)
            let stored = StoredSteps(of: id, record, in: store)
            let plan = try RunPlan(graph, of: stored, retryingFailures: retryingFailures)
            // A stored run keeps its input, as in `run`.
            let cache = ResultCache(store, for: id.workflow, input: record?.input ?? input, clock: clock)
            let preview = PlanPreview(plan, of: stored, in: cache, of: id, words)
            let elements = ElementsPreview(plan, of: stored)
            return DurablePlan(
                of: id, isNew: record.map { $0.openings == 0 } ?? true, preview.steps(elements))
        }
    }
}
