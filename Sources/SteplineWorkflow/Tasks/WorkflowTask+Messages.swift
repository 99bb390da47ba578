import SteplineEngine
public import SteplineSupport

extension WorkflowTask {
    /// Starts a Ready task; returns before its body begins.
    ///
    /// In any other state this does nothing. During a back-off the next attempt begins at once.
    ///
    /// - Throws: `.noWorkflow` without a live workflow, and `.checkFailed` if the task itself has errors.
    public final func start() throws {
        guard let (core, number) = home, let workflow else {
            throw WorkflowError(.noWorkflow, name, "can't be started without a workflow")
        }
        // Checked without the lock, because the check calls user code.
        let errors = workflow.issues(of: number).filter { $0.severity == .error }
        if !errors.isEmpty { throw WorkflowError(checkFailedFor: name, errors) }
        core.keepValues()
        core.change { $0.startByHand(number, &$1) }
    }

    /// Cancels the task and everything downstream except cleanups; tasks that have ended keep their outcomes.
    ///
    /// After a cancellation no success or failure callback is called. If the task had ended before, its callbacks still
    /// come, but no further one begins on the queue of this call.
    ///
    /// - Parameter reason: The reason, which the outcome carries.
    /// - Returns: True if this call came before the task's end. False if the task had ended: everything downstream that
    ///   hadn't ended is cancelled all the same.
    @discardableResult
    public final func cancel(_ reason: CancellationReason = .requested) -> Bool {
        guard let (core, number) = home else { return sendAlone(.cancel(reason)) }
        let (isFirst, reached) = core.change { $0.cancel([number], reason, &$1) }
        // After the transaction: callbacks of earlier ends may still wait on this queue.
        core.deliveries.withdrawHere(reached)
        return isFirst
    }

    /// Returns the task and everything downstream to their initial states, without results; starts nothing.
    public final func reset() {
        guard let (core, number) = home else { return _ = sendAlone(.reset) }
        core.change { $0.reset([number], &$1) }
    }

    /// Runs the task again if it is Failed or Cancelled, and everything downstream.
    ///
    /// Downstream results that were made from its failure are made again too. If the task is neither Failed nor
    /// Cancelled, the Failed and Cancelled tasks downstream run again.
    public final func retry() {
        guard let (core, number) = home else { return _ = sendAlone(.retry) }
        core.keepValues()
        core.change { $0.retry([number], &$1) }
    }

    /// Finishes the current attempt: that of the calling body, otherwise the Executing one; the first end counts.
    ///
    /// Outside of the body the call names no attempt. Such a call is ambiguous while an earlier, stopped attempt hasn't
    /// reported its end. The Executing attempt then fails with `.ambiguousEnd`, without a retry, and the result is
    /// dropped. ``TaskAttempt/finish(with:)`` of the body's ``currentAttempt`` is never ambiguous.
    ///
    /// - Parameter result: The result.
    /// - Returns: Whether the call ended an attempt, also by `.ambiguousEnd`.
    @discardableResult
    public final func finish(with result: (any Sendable)? = nil) -> Bool {
        if let attempt = TaskAttempt.running, attempt.task === self { return attempt.finish(with: result) }
        guard let (core, number) = home else { return false }
        return core.endCurrent(number, .finished(result))
    }

    /// Fails the current attempt: that of the calling body, otherwise the Executing one; the first end counts.
    ///
    /// An ambiguous call fails the attempt with `.ambiguousEnd` instead; see ``finish(with:)``.
    ///
    /// - Parameter error: The error.
    /// - Returns: Whether the call ended an attempt.
    @discardableResult
    public final func fail(with error: (any Error)? = nil) -> Bool {
        if let attempt = TaskAttempt.running, attempt.task === self { return attempt.fail(with: error) }
        guard let (core, number) = home else { return false }
        return core.endCurrent(number, core.failure(of: number, error))
    }

    /// The attempt of the calling body, otherwise the latest attempt.
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

    /// Handles a message to a task without a workflow, which changes only the task's own state.
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
                // Already in the initial state: nothing changed.
                if old == .ready { return (nil, past) }
            default: return (nil, past)
            }
            box.past.value = if case .cancel(let reason) = message { reason } else { nil }
            return (Change(oldState: old, snapshot: box.past.snapshot), past)
        }
        // The old state may own user objects: release it after unlock.
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
    /// Ends the attempt that executes, for a call that names no attempt.
    fileprivate func endCurrent(_ number: Int32, _ end: AttemptResult) -> Bool {
        let name = look { $0.name(number) }
        let error = WorkflowError(
            .ambiguousEnd, name, "an end can't be attributed to an attempt; end through currentAttempt")
        let ambiguous = AttemptResult.failed(TaskFailure(error), retryAfter: nil)
        return change { machine, turn in
            let node = machine.tasks[number]
            guard node.state == .executing else {
                // Too late: the attempt isn't Executing any more.
                machine.endedUnnamed(number, &turn)
                return false
            }
            // A stopped attempt may have sent this end. Its value must not become the result of the next attempt.
            guard let oldest = machine.rare.unreported[number]?.min() else {
                return machine.end(number, node.attempt.number, end, &turn)
            }
            machine.rare.hasReported(number, oldest)
            // The body of this attempt may still run: it is stopped, and its end is waited for.
            return machine.end(number, node.attempt.number, ambiguous, by: .outside, &turn)
        }
    }
}

extension WorkflowMachine {
    /// Starts a task by hand: earlier failures no longer count, unless the task is backing off.
    fileprivate mutating func startByHand(_ number: Int32, _ turn: inout WorkflowTurn) {
        // A busy attempt is queued or backs off: its failure count must survive this start.
        if tasks[number].state == .ready, !tasks[number].attempt.isBusy { tasks.renew(number) }
        start(number, &turn)
        if tasks.busy > 0 { run.askFor() }
    }
}
