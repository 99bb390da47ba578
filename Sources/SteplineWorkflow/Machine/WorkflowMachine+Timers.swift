import SteplineEngine
import SteplineSupport

/// The limits of a task's time: what sets and withdraws a timer, and what follows when it fires.
extension WorkflowMachine {
    /// Sets the deadline of a run of the workflow.
    mutating func setWorkflowDeadline(_ turn: inout WorkflowTurn) {
        guard let deadline = options.deadline, tasks.busy > 0 else { return }
        turn.set(TaskTimer(number: -1, kind: .deadline), after: deadline)
    }

    /// Sets the timers of an attempt that begins.
    mutating func setTimers(_ number: Int32, _ turn: inout WorkflowTurn) {
        guard let options = rare.options[number] else { return }
        let deadline = TaskTimer(number: number, kind: .deadline)
        // The time of a condition in a durable run includes its waits in earlier processes.
        var waited = Duration.zero
        if tasks[number].traits.isSuperset(of: [.condition, .durable]),
            (options.timeout ?? options.deadline) != nil
        {
            waited = recordWait(number, &turn)
        }
        // The deadline bounds all attempts together: a later attempt finds the timer set. If it has fired since the
        // last one, this attempt is over at once.
        if let limit = options.deadline, !turn.isSet(deadline) {
            let isOverdue = rare[live: number].isOverdue
            turn.set(deadline, after: isOverdue ? .zero : max(.zero, limit - waited))
        }
        // The process that takes up the body times it there; the deadline is bounded here in any case.
        guard isTimedHere(number) else { return }
        if let timeout = options.timeout {
            let kind: AttemptTimer = rare.delays.contains(number) ? .delay : .timeout
            turn.set(TaskTimer(number: number, kind: kind), after: max(.zero, timeout - waited))
        }
        // A condition reports no progress, however long its wait is.
        if !tasks[number].traits.contains(.condition) { restartWatchdog(number, &turn) }
    }

    /// Whether the time of an attempt begins with it, and not when another process takes up its body.
    private func isTimedHere(_ number: Int32) -> Bool {
        guard journaling?.isElsewhere == true else { return true }
        return !tasks[number].traits.isDisjoint(with: [.subworkflow, .condition])
    }

    /// Starts the watchdog of a body that has begun, or has reported progress.
    mutating func restartWatchdog(_ number: Int32, _ turn: inout WorkflowTurn) {
        guard let watchdog = rare.options[number].flatMap({ $0.watchdog ?? options.watchdog }) else { return }
        rare[live: number].stall = watchdog
        turn.set(TaskTimer(number: number, kind: .watchdog), after: watchdog)
    }

    /// Withdraws the timers of an attempt, and the deadline of the task unless another attempt follows.
    mutating func withdrawTimers(_ number: Int32, _ turn: inout WorkflowTurn) {
        let isDelay = rare.delays.contains(number)
        turn.withdraw(TaskTimer(number: number, kind: isDelay ? .delay : .timeout))
        turn.withdraw(TaskTimer(number: number, kind: .watchdog))
        switch tasks[number].attempt.phase {
        case .stopping(_, then: .backOff), .backingOff: break
        default:
            turn.withdraw(TaskTimer(number: number, kind: .deadline))
            rare.endAttempts(of: number)
        }
    }

    mutating func timerFired(_ timer: TaskTimer, _ turn: inout WorkflowTurn) {
        defer { endTurn(&turn) }
        guard timer.number >= 0 else {
            // The timer of the workflow itself. Cleanups still run.
            _ = cancelAll(.deadline, includingCleanups: false, isOverdue: true, &turn)
            return
        }
        let number = timer.number
        let attempt = tasks[number].attempt
        switch timer.kind {
        case .delay:
            end(number, attempt.number, .finished(()), &turn)
        case .timeout, .deadline:
            let isDeadline = timer.kind == .deadline
            if isDeadline { rare[live: number].isOverdue = true }
            // The retry policy is user code, so the core asks it after unlock. The attempt may end meanwhile:
            // `timeOver` compares its number.
            turn.order(.timeOver(number, attempt: attempt.number, isDeadline: isDeadline))
        case .grace: abandon(number, &turn)
        case .backOff:
            if tasks.enqueue(number) { enqueue(number, &turn) }
        case .watchdog:
            guard attempt.isRunning(attempt.number) else { return }
            let waited = rare[live: number].stall
            logEvent(.stalled(waited), number, turn)
            // Doubled each time, so a body that hangs for days leaves few events.
            rare[live: number].stall = waited * 2
            turn.set(timer, after: waited)
        }
    }

    /// Fails an attempt whose time is over.
    mutating func timeOver(
        _ number: Int32, _ attempt: UInt32, _ failure: TaskFailure, retryAfter wait: Duration?,
        _ turn: inout WorkflowTurn
    ) {
        // An attempt that has ended by itself meanwhile is left as it is, also if another one follows.
        guard tasks[number].attempt.isRunning(attempt) else { return }
        end(number, attempt, .failed(failure, retryAfter: wait), by: .outside, &turn)
    }

    /// Fails a task whose deadline is over: in an attempt, between two, or in one that has begun since.
    mutating func deadlineOver(_ number: Int32, _ failure: TaskFailure, _ turn: inout WorkflowTurn) {
        // The task has ended by itself meanwhile; it may even have been reset and started again.
        guard rare[live: number].isOverdue else { return }
        let (node, own) = (tasks[number], tasks[number].attempt)
        if own.isRunning(own.number) {
            end(number, own.number, .failed(failure, retryAfter: nil), by: .outside, &turn)
        } else if node.state == .ready, node.facts.contains(.began) {
            // The last attempt is recorded as one that another follows. Its number is known to the journal.
            if node.traits.contains(.durable) { record(.failed(failure.error), number, &turn) }
            cancelInside(number, .timeIsOver, &turn)
            leave(number, tasks.stop(number), &turn)
            fail(number, failure, from: .ready, &turn)
        }
    }
}
