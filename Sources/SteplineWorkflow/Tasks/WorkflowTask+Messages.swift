import SteplineSupport

extension WorkflowTask {
    /// Lets a Ready task begin; returns before its body does.
    ///
    /// Throws `.noWorkflow` without a living workflow, and `.checkFailed` if the task alone has mistakes. In any
    /// other state than Ready it does nothing; in the wait before another attempt it begins that at once.
    public final func start() throws {
        let (core, index) = face.withLock { ($0.core, $0.index) }
        guard let core, let workflow else {
            throw WorkflowError(.noWorkflow, name, "can't be started without a workflow")
        }
        let errors = workflow.issues(of: index).filter { $0.severity == .error }
        if !errors.isEmpty {
            var error = WorkflowError(.checkFailed, name, "the check failed, nothing was run")
            error.issues = errors
            throw error
        }
        core.send { machine in
            if !machine.nodes[Int(index)].flags.contains(.backoff) { machine.tables.forgetTries(index) }
            machine.startReady(Int(index))
        }
    }

    /// Cancels the task, if it has not ended, and everything downstream.
    public final func cancel(because reason: String? = nil) {
        send(.cancel, because: reason)
    }

    /// Puts the task and everything downstream back to the beginning, without results; starts nothing.
    public final func reset() {
        send(.reset)
    }

    /// Runs the task again if it is Failed or Cancelled, and so everything downstream.
    public final func retry() {
        send(.retry)
    }

    /// Finishes the attempt that the caller runs in, or else the one Executing; the first end counts.
    ///
    /// Returns false if it changed nothing.
    @discardableResult
    public final func finish(with result: (any Sendable)? = nil) -> Bool {
        if let attempt = TaskAttempt.running, attempt.task === self { return attempt.finish(with: result) }
        return endCurrent(.finished(result))
    }

    /// Fails the attempt that the caller runs in, or else the one Executing; the first end counts.
    ///
    /// Returns false if it changed nothing.
    @discardableResult
    public final func fail(with error: (any Error)? = nil) -> Bool {
        if let attempt = TaskAttempt.running, attempt.task === self { return attempt.fail(with: error) }
        let (core, index) = face.withLock { ($0.core, $0.index) }
        return endCurrent(.failed(TaskFailure(error), retryAfter: core?.retryDelay(of: index, error)))
    }

    /// The attempt of the body that the caller runs in, or else the last one begun.
    public final var currentAttempt: TaskAttempt {
        if let attempt = TaskAttempt.running, attempt.task === self { return attempt }
        let (core, index) = face.withLock { ($0.core, $0.index) }
        let number = core?.machine.withLock { $0.nodes[Int(index)].attempt } ?? 0
        return TaskAttempt(of: self, in: core, index: index, number: number, isBorrowed: true)
    }

    private func send(_ message: TaskMessage, because reason: String? = nil) {
        let (core, index) = face.withLock { ($0.core, $0.index) }
        if let core {
            core.send { machine in
                machine.send(message, to: [index], because: reason)
            }
        } else {
            sendAlone(message)
        }
    }

    private func endCurrent(_ end: AttemptEnd) -> Bool {
        let (core, index) = face.withLock { ($0.core, $0.index) }
        guard let core else { return false }
        let time = core.time()
        return core.send { machine in
            let node = machine.nodes[Int(index)]
            guard node.state == .executing, node.flags.contains(.unreported) else {
                return machine.attemptEnded(index, attempt: node.attempt, end, at: time)
            }
            // An earlier attempt may have meant it: nobody can tell, so nobody's value is taken.
            let error = WorkflowError(
                .ambiguousEnd, machine.name(Int(index)),
                "an end can't be attributed to an attempt; end through currentAttempt"
            )
            return machine.attemptEnded(
                index, attempt: node.attempt, .failed(TaskFailure(error), retryAfter: nil), at: time
            )
        }
    }

    /// A message to a task without a workflow: only its own state changes.
    private func sendAlone(_ message: TaskMessage) {
        let change: Change? = face.withLock { face in
            let box = face.makePast()
            let old = box.past.state
            switch (message, old) {
            case (.cancel, .pending), (.cancel, .ready), (.cancel, .executing): box.past.state = .cancelled
            case (.retry, .failed), (.retry, .cancelled): box.past.state = .ready
            case (.reset, _):
                box.past.isFulfilled = false
                box.past.fulfilment = nil
                box.past.state = .ready
                if old == .ready { return nil }
            default: return nil
            }
            box.past.value = nil
            return Change(oldState: old, snapshot: box.past.snapshot)
        }
        guard let change else { return }
        for observer in observers { observer(change) }
        switch message {
        case .cancel:
            didCancel()
            delegate?.taskDidCancel(self)
        case .reset: didReset()
        case .retry: didRetry()
        }
    }
}
