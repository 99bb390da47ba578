package import Foundation
public import SteplineSupport
public import SteplineWorkflow

extension Workflow {
    /// Runs the workflow so that it can be killed anywhere and go on: what the store knows of the run with that key stands.
    ///
    ///     let report = try await workflow.run(in: .file("mirror.runs"), key: "2026-11-22")
    ///
    /// A step is Finished, for its dependents and for all who hear of it, when the store has its result. Bodies run at
    /// least once: one that was interrupted is run again. Steps that failed in an earlier process stay Failed unless
    /// `retryingFailures` is set; a run that was cancelled stays so likewise.
    ///
    /// A run that somebody else is at is left to them, or waited for, as `ifInProgress` says.
    ///
    /// The workflow must be fresh, and names tell its tasks apart. Throws what `run()` throws, a `RunStoreError` if the
    /// store can't keep the run (which can be run again when it can), and a `DurableRunError`. Cancelling the Swift
    /// task that waits interrupts the run and doesn't cancel it: called again, it goes on.
    @discardableResult
    public func run(
        in store: some RunStore, key: String, retryingFailures: Bool = false,
        ifInProgress: RunInProgress = .fail
    ) async throws -> DurableReport {
        try await DurableRun(
            of: self, in: store, key: key, retryingFailures: retryingFailures, ifInProgress: ifInProgress
        ).run()
    }

    /// The same for a run that is started with something, and whose opening is told before anything is run.
    ///
    /// The input is kept for a new run, and left alone for an old one.
    package func run(
        in store: any RunStore, key: String, retryingFailures: Bool, input: Data?,
        ifInProgress: RunInProgress = .fail, on place: RunPlace = .process,
        opened: @escaping @Sendable (OpenedRun) -> Void
    ) async throws -> DurableReport {
        try await DurableRun(
            of: self, in: store, key: key, retryingFailures: retryingFailures, ifInProgress: ifInProgress,
            input: input, place: place, opened: opened
        ).run()
    }

    /// Fulfils a condition of a durable run, whoever runs it now or later; false if its word was given before, which counts.
    ///
    ///     try review.fulfill("approved", with: true, in: store, key: "2026-11-22")
    ///
    /// - Parameters:
    ///   - condition: The name of the condition's task, a path for one inside a subworkflow.
    ///   - value: What the condition expects; nil if it takes no value.
    ///   - store: The store that has the run.
    ///   - key: The run's key.
    /// - Throws: A `DurableRunError` if the workflow has no such condition or that expects another type, and a
    ///   `RunStoreError` if there is no such run.
    @discardableResult
    public func fulfill(
        _ condition: String, with value: (any Sendable)? = nil, in store: some RunStore, key: String
    ) throws -> Bool {
        let graph = RunGraph(self)
        var data: Data?
        if let value, let place = ConditionValue.place(of: condition, in: graph) {
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

    /// Finds what keeps the workflow from being run durably, beside what `check()` finds; runs nothing.
    ///
    /// Names that two tasks have, results that can't be kept, names that are too long.
    public func checkDurability() -> [CheckIssue] { RunGraph(self).issues }
}

/// What becomes of a run that somebody else is at.
public enum RunInProgress: Sendable, Hashable {
    /// It is left to them: a `RunStoreError` with the code `inProgress` says who and since when.
    case fail
    /// They are waited for. What they have done stands; what is left, if they ended without an end, is done here.
    case wait
}
