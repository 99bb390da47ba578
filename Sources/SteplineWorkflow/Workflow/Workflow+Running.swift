public import Dispatch
import SteplineEngine
public import SteplineSupport

extension Workflow {
    /// Starts or joins the workflow, waits until nothing more happens by itself, and reports.
    ///
    /// Either way it starts what is Ready, also where that was put back by a reset while the workflow ran.
    ///
    /// Throws a ``WorkflowError``: what `start()` throws; `.tasksFailed` with every failure in its report;
    /// `.deadlineExceeded` or `.incomplete`; and `CancellationError` if it was cancelled. Cancelling the Swift task that
    /// waits cancels the workflow; it then throws once no body is live any more.
    @discardableResult
    public func run() async throws -> RunReport { try await outcome(checked: Task.checkCancellation).get() }

    /// Starts or joins the workflow as ``run()`` does, waits until nothing more happens by itself, and says how it ended.
    public func outcome() async -> Outcome<RunReport> {
        do {
            return try await outcome(checked: {})
        } catch {
            return .failure(error)
        }
    }

    private func outcome(checked check: () throws -> Void) async throws -> Outcome<RunReport> {
        try check()
        let settled = OneShot<RunReport>()
        if !core.change({ $0.joinRun(settled, &$1) }) { try start(answering: settled) }
        let report = await withTaskCancellationHandler {
            await settled.value
        } onCancel: {
            cancel(.awaitingTask)
        }
        return report.outcome(of: name)
    }

    /// Calls `body` with the outcome of each run, when nothing more happens by itself.
    ///
    /// On `queue`, or where the run ends. Lasts until the subscription is cancelled; with an `owner` it can also be removed
    /// by ``removeCallbacks(of:)``. The owner is an identity and isn't retained.
    @discardableResult
    @_disfavoredOverload
    public func onEnd(
        on queue: DispatchQueue? = nil, for owner: AnyObject? = nil,
        _ body: @escaping @Sendable (Outcome<RunReport>) -> Void
    ) -> Subscription {
        core.add(Listener(owner: owner, place: CallbackPlace(queue), call: body))
    }

    /// Calls `body` with the outcome of each run on the main actor; otherwise as on a queue.
    @discardableResult
    public func onEnd(
        on place: MainPlace, for owner: AnyObject? = nil,
        _ body: @escaping @MainActor @Sendable (Outcome<RunReport>) -> Void
    ) -> Subscription {
        core.add(Listener(owner: owner, place: CallbackPlace(place), call: CallbackPlace.isolated(body)))
    }

    /// Calls `body` with the actor and the outcome of each run, on that actor; otherwise as on a queue.
    @discardableResult
    public func onEnd<Place: Actor>(
        on actor: Place, for owner: AnyObject? = nil,
        _ body: @escaping @Sendable (isolated Place, Outcome<RunReport>) -> Void
    ) -> Subscription {
        let call = CallbackPlace.isolated(to: actor, body)
        return core.add(Listener(owner: owner, place: .actor(actor), call: call))
    }

    /// Removes an owner's callbacks of this workflow's runs: none of them begins any more.
    public func removeCallbacks(of owner: AnyObject) {
        core.removeListeners { $0.owner.belongs(to: owner) }
    }
}

extension RunReport {
    /// What the run of a workflow of that name was, as an outcome.
    func outcome(of name: String) -> Outcome<RunReport> {
        switch ending {
        case .finished: .success(self)
        case .cancelled(let reason): .cancelled(reason)
        case .failed: failure(.tasksFailed, name, "\(failures.count) task(s) failed")
        case .deadlineExceeded: failure(.deadlineExceeded, name, "took longer than its deadline")
        case .incomplete:
            failure(.incomplete, name, "nobody started \(notStarted.map(\.name).joined(separator: ", "))")
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
