public import Dispatch
import SteplineEngine
public import SteplineSupport

extension Workflow {
    /// Starts or joins the workflow, waits until no task continues by itself, and returns the report.
    ///
    /// A workflow that runs is joined, and one that has settled is started again. In each case Ready tasks are started,
    /// including tasks that were reset while the workflow ran. Cancelling the waiting Swift task cancels the workflow;
    /// the method then throws once each stopped body is over, or was given up after its `grace`.
    ///
    /// - Returns: The report of the run.
    /// - Throws: The errors of `start()`; `.tasksFailed` with all failures in its report; `.deadlineExceeded` or
    ///   `.incomplete`; `CancellationError` if the workflow was cancelled.
    @discardableResult
    public func run() async throws -> RunReport { try await outcome(checked: Task.checkCancellation).get() }

    /// Starts or joins the workflow like ``run()``, waits for its end, and returns the outcome.
    ///
    /// - Returns: The outcome. A failure with `.checkFailed` says why the workflow wasn't started.
    public func outcome() async -> Outcome<RunReport> {
        do {
            return try await outcome(checked: {})
        } catch {
            return .failure(error)
        }
    }

    private func outcome(checked check: () throws -> Void) async throws -> Outcome<RunReport> {
        // `run()` must not start anything in a cancelled Swift task; `outcome()` does.
        try check()
        let settled = OneShot<RunReport>()
        // False: nothing is running, so a checked start is needed.
        if !core.change({ $0.joinRun(settled, &$1) }) { try start(answering: settled) }
        let report = await withTaskCancellationHandler {
            await settled.value
        } onCancel: {
            // The wait continues until the workflow has settled: each body is over, or was given up after `grace`.
            cancel(.awaitingTask)
        }
        return report.outcome(of: name)
    }

    /// Calls `body` with the outcome of each run.
    ///
    /// - Parameters:
    ///   - queue: The queue of the call; nil for the thread on which the run ends.
    ///   - owner: An identity for ``removeCallbacks(of:)``, which isn't retained.
    ///   - body: The callback.
    /// - Returns: A subscription whose cancellation removes the callback.
    @discardableResult
    @_disfavoredOverload
    public func onEnd(
        on queue: DispatchQueue? = nil, for owner: AnyObject? = nil,
        _ body: @escaping @Sendable (Outcome<RunReport>) -> Void
    ) -> Subscription {
        core.add(Listener(owner: owner, place: CallbackPlace(queue), call: body))
    }

    /// Calls `body` with the outcome of each run on the main actor; see the variant for queues.
    @discardableResult
    public func onEnd(
        on place: MainPlace, for owner: AnyObject? = nil,
        _ body: @escaping @MainActor @Sendable (Outcome<RunReport>) -> Void
    ) -> Subscription {
        core.add(Listener(owner: owner, place: CallbackPlace(place), call: CallbackPlace.isolated(body)))
    }

    /// Calls `body` with the actor and the outcome of each run on that actor; see the variant for queues.
    @discardableResult
    public func onEnd<Place: Actor>(
        on actor: Place, for owner: AnyObject? = nil,
        _ body: @escaping @Sendable (isolated Place, Outcome<RunReport>) -> Void
    ) -> Subscription {
        let call = CallbackPlace.isolated(to: actor, body)
        return core.add(Listener(owner: owner, place: .actor(actor), call: call))
    }

    /// Removes an owner's callbacks of this workflow's runs and progress; none of them begins
    /// afterwards, except a call for progress that another thread has decided to make just before.
    public func removeCallbacks(of owner: AnyObject) {
        core.removeProgressListeners(of: owner)
        core.removeListeners { $0.owner.belongs(to: owner) }
    }
}

extension RunReport {
    /// Returns the outcome of a run of the named workflow.
    func outcome(of name: String) -> Outcome<RunReport> {
        switch ending {
        case .finished: .success(self)
        case .cancelled(let reason): .cancelled(reason)
        case .failed:
            failure(
                .tasksFailed, name, failures.count == 1 ? "1 task failed" : "\(failures.count) tasks failed")
        case .deadlineExceeded: failure(.deadlineExceeded, name, "took longer than its deadline")
        case .incomplete:
            failure(.incomplete, name, "not started: \(notStarted.map(\.name).joined(separator: ", "))")
        }
    }

    private func failure(
        _ code: WorkflowError.Code, _ name: String, _ text: String
    ) -> Outcome<RunReport> {
        var error = WorkflowError(code, name, text)
        error.report = self
        return .failure(error)
    }
}
