import SteplineEngine
public import SteplineSupport

extension WorkflowTask {
    /// Lets a Ready task begin; returns before its body does.
    ///
    /// Throws `.noWorkflow` without a living workflow, and `.checkFailed` if the task alone has mistakes. In any
    /// other state than Ready it does nothing; in the wait before another attempt it begins that at once.
    public final func start() throws {
        guard let (core, number) = home, let workflow else {
            throw WorkflowError(.noWorkflow, name, "can't be started without a workflow")
        }
        let errors = workflow.issues(of: number).filter { $0.severity == .error }
        if !errors.isEmpty { throw WorkflowError(checkFailedFor: name, errors) }
        core.change { $0.startByHand(number, &$1) }
    }

    /// Cancels the task, if it has not ended, and everything downstream; whether that came before its end.
    ///
    /// If it did, no success or failure of the task is told any more. If it didn't, what the task has ended with stands
    /// and is told; only on a queue from which this is called no callback begins any more.
    @discardableResult
    public final func cancel(_ reason: CancellationReason = .requested) -> Bool {
        guard let (core, number) = home else { return sendAlone(.cancel(reason)) }
        let (isFirst, reached) = core.change { $0.cancel([number], reason, &$1) }
        core.deliveries.withdrawHere(reached)
        return isFirst
    }

    /// Puts the task and everything downstream back to the beginning, without results; starts nothing.
    public final func reset() {
        guard let (core, number) = home else { return _ = sendAlone(.reset) }
        core.change { $0.reset([number], &$1) }
    }

    /// Runs the task again if it is Failed or Cancelled, and so everything downstream.
    ///
    /// What was made from its failure downstream is made again, too.
    public final func retry() {
        guard let (core, number) = home else { return _ = sendAlone(.retry) }
        core.change { $0.retry([number], &$1) }
    }

    /// Finishes the attempt that the caller runs in, or else the one Executing; the first end counts.
    ///
    /// Returns false if it changed nothing.
    @discardableResult
    public final func finish(with result: (any Sendable)? = nil) -> Bool {
        if let attempt = TaskAttempt.running, attempt.task === self { return attempt.finish(with: result) }
        guard let (core, number) = home else { return false }
        return core.endCurrent(number, .finished(result))
    }

    /// Fails the attempt that the caller runs in, or else the one Executing; the first end counts.
    ///
    /// Returns false if it changed nothing.
    @discardableResult
    public final func fail(with error: (any Error)? = nil) -> Bool {
        if let attempt = TaskAttempt.running, attempt.task === self { return attempt.fail(with: error) }
        guard let (core, number) = home else { return false }
        return core.endCurrent(number, core.failure(of: number, error))
    }

    /// The attempt of the body that the caller runs in, or else the last one begun.
    public final var currentAttempt: TaskAttempt {
        if let attempt = TaskAttempt.running, attempt.task === self { return attempt }
        let home = home
        let number = home.map { home in home.core.look { $0.tasks[home.number].attempt.number } } ?? 0
        return TaskAttempt(of: self, in: home?.core, home?.number ?? 0, number, isBorrowed: true)
    }

    // MARK: Without a workflow

    private enum Message {
        case cancel(CancellationReason)
        case reset, retry
    }

    /// A message to a task without a workflow: only its own state changes.
    private func sendAlone(_ message: Message) -> Bool {
        let (change, past): (Change?, TaskPast) = face.withLock { face in
            let box = face.makePast()
            let past = box.past
            let old = past.state
            switch (message, old) {
            case (.cancel, .pending), (.cancel, .ready), (.cancel, .executing): box.past.state = .cancelled
            case (.retry, .failed), (.retry, .cancelled): box.past.state = .ready
            case (.reset, _):
                box.past.isFulfilled = false
                box.past.fulfilment = nil
                box.past.state = .ready
                if old == .ready { return (nil, past) }
            default: return (nil, past)
            }
            box.past.value = if case .cancel(let reason) = message { reason } else { nil }
            return (Change(oldState: old, snapshot: box.past.snapshot), past)
        }
        // What a user made is freed by that after the lock.
        withExtendedLifetime(past) {}
        guard let change else { return false }
        for listener in listeners where listener.kind.includes(change.newState) {
            listener.place.perform { listener.notify(change) }
        }
        switch message {
        case .cancel:
            didCancel()
            delegate?.taskDidCancel(self)
        case .reset: didReset()
        case .retry: didRetry()
        }
        return true
    }
}

extension WorkflowCore {
    /// Ends the attempt that executes, on behalf of somebody who doesn't say which he means.
    fileprivate func endCurrent(_ number: Int32, _ end: AttemptResult) -> Bool {
        let name = look { $0.name(number) }
        let error = WorkflowError(
            .ambiguousEnd, name, "an end can't be attributed to an attempt; end through currentAttempt")
        let ambiguous = AttemptResult.failed(TaskFailure(error), retryAfter: nil)
        return change { machine, turn in
            let node = machine.tasks[number]
            guard node.state == .executing else {
                machine.endedUnnamed(number, &turn)
                return false
            }
            // An earlier attempt may have meant it: nobody can tell, so nobody's value is taken.
            let isAmbiguous = machine.rare.unreported[number] != nil
            return machine.end(number, node.attempt.number, isAmbiguous ? ambiguous : end, &turn)
        }
    }
}

extension WorkflowMachine {
    /// Somebody starts a task: earlier failures don't count, unless it is just waiting for its next attempt.
    fileprivate mutating func startByHand(_ number: Int32, _ turn: inout WorkflowTurn) {
        if tasks[number].state == .ready, !tasks[number].attempt.isBusy { tasks.renew(number) }
        start(number, &turn)
        if tasks.busy > 0 { run.askFor() }
    }
}
