package import Foundation
public import SteplineSupport
public import SteplineWorkflow

extension Workflow {
    /// Runs the workflow durably: a run can be killed at any time and resumed from its stored state.
    ///
    ///     let report = try await workflow.run(in: .file("mirror.runs"), key: "2026-11-22")
    ///
    /// A step becomes Finished, for dependents and listeners, when the store has its result. Bodies run at least once:
    /// an interrupted body runs again. Cancelling the waiting Swift task interrupts the run without cancelling it: call
    /// the method again to resume.
    ///
    /// The workflow must be new, and its tasks must have different names.
    ///
    /// - Parameters:
    ///   - store: The store that keeps the run.
    ///   - key: The key of the run, 1 to 1,024 bytes.
    ///   - retryingFailures: Whether failed steps, and cancelled steps and runs, of an earlier process are run again.
    ///     Otherwise they stay failed or cancelled.
    ///   - ifInProgress: The reaction to a living owner of the run.
    /// - Returns: A report of the workflow and its stored steps.
    /// - Throws: The errors of `run()`, a `RunStoreError` if the store fails (resume the run later), or a
    ///   `DurableRunError`.
    @discardableResult
    public func run(
        in store: some RunStore, key: String, retryingFailures: Bool = false,
        ifInProgress: RunInProgress = .fail
    ) async throws -> DurableReport {
        try await DurableRun(
            of: self, in: store, key: key, retryingFailures: retryingFailures, ifInProgress: ifInProgress
        ).run()
    }

    /// Runs the workflow durably with an input and a chosen place, and reports the plan before any body starts.
    ///
    /// The input is stored with a new run and ignored for an old run. With `skippingEnded`, a run that has ended fails
    /// with `ownershipLost`.
    package func run(
        in store: any RunStore, key: String, retryingFailures: Bool, input: Data?,
        ifInProgress: RunInProgress = .fail, on place: RunPlace = .process, skippingEnded: Bool = false,
        opened: @escaping @Sendable (OpenedRun) -> Void
    ) async throws -> DurableReport {
        try await DurableRun(
            of: self, in: store, key: key, retryingFailures: retryingFailures, ifInProgress: ifInProgress,
            input: input, place: place, skippingEnded: skippingEnded, opened: opened
        ).run()
    }

    /// Fulfils a condition of a durable run for its current or next owner.
    ///
    ///     try review.fulfill("approved", with: true, in: store, key: "2026-11-22")
    ///
    /// - Parameters:
    ///   - condition: The name of the condition's task, a path inside a subworkflow.
    ///   - value: The value that the condition expects; nil if it expects none.
    ///   - store: The store that has the run.
    ///   - key: The run's key.
    /// - Returns: False if an earlier signal for the condition exists; the earlier signal counts.
    /// - Throws: A `DurableRunError` if the condition is missing or expects another type, and a `RunStoreError` if the
    ///   run
    ///   doesn't exist.
    @discardableResult
    public func fulfill(
        _ condition: String, with value: (any Sendable)? = nil, in store: some RunStore, key: String
    ) throws -> Bool {
        let graph = RunGraph(self)
        var data: Data?
        if let value, let place = ConditionValue.place(of: condition, in: graph) {
            // Empty data stands for a value where none is expected: the check below reports it.
            let codec = graph.facts(place).codec
            do { data = try codec?.encode(value) ?? Data() } catch {
                throw DurableRunError(
                    .invalidSignal, condition,
                    "the condition expects \(codec?.typeName ?? "no value"), got a \(type(of: value))")
            }
        }
        try ConditionValue.check(data, for: condition, in: graph, of: name)
        return try store.send(
            .fulfil(condition: condition, data), to: RunID(name, key: key), at: options.clock.now)
    }

    /// Returns the issues that prevent a durable run, in addition to those of `check()`; runs nothing.
    ///
    /// Finds duplicate names, results that can't be stored, and names that are too long.
    public func checkDurability() -> [CheckIssue] { RunGraph(self).issues }
}

/// The reaction to a run that has a living owner.
public enum RunInProgress: Sendable, Hashable {
    /// Throw a `RunStoreError` with the code `inProgress`, which names the owner and its begin.
    case fail
    /// Wait for the owner. If it stops without an ending, continue the run here.
    case wait
}
