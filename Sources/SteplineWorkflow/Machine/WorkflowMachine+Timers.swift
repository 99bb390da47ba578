import SteplineEngine
import SteplineSupport

extension WorkflowMachine {
    /// The time for a run of the workflow begins.
    mutating func setWorkflowDeadline(_ turn: inout WorkflowTurn) {
        guard let deadline = options.deadline, tasks.busy > 0 else { return }
        turn.set(TaskTimer(number: -1, kind: .deadline), after: deadline)
    }

    /// An attempt of a task with terms begins.
    mutating func setTimers(_ number: Int32, _ turn: inout WorkflowTurn) {
        guard let options = terms.own[number]?.options else { return }
        let deadline = TaskTimer(number: number, kind: .deadline)
        var waited = Duration.zero
        if tasks[number].traits.isSuperset(of: [.condition, .durable]),
            (options.timeout ?? options.deadline) != nil
        {
            waited = recordWait(number, &turn)
        }
        if let limit = options.deadline, !turn.isSet(deadline) {
            turn.set(deadline, after: max(.zero, limit - waited))
        }
        guard isTimedHere(number) else { return }
        if let timeout = options.timeout {
            turn.set(TaskTimer(number: number, kind: .timeout), after: max(.zero, timeout - waited))
        }
        if !tasks[number].traits.contains(.condition) { watchAnew(number, &turn) }
    }

    /// Whether the time of an attempt begins with it, and not when another process takes up its body.
    private func isTimedHere(_ number: Int32) -> Bool {
        guard journaling?.isElsewhere == true else { return true }
        return !tasks[number].traits.isDisjoint(with: [.subworkflow, .condition])
    }

    /// A body has begun, or has shown that it goes on.
    mutating func watchAnew(_ number: Int32, _ turn: inout WorkflowTurn) {
        guard let watchdog = terms.own[number]?.options.watchdog else { return }
        terms.own[number]?.stall = watchdog
        turn.set(TaskTimer(number: number, kind: .watchdog), after: watchdog)
    }

    /// An attempt is over; with the task itself the time of all attempts is, too.
    mutating func withdrawTimers(_ number: Int32, _ turn: inout WorkflowTurn) {
        turn.withdraw(TaskTimer(number: number, kind: .timeout))
        turn.withdraw(TaskTimer(number: number, kind: .watchdog))
        if !willTryAgain(number) { turn.withdraw(TaskTimer(number: number, kind: .deadline)) }
    }

    private func willTryAgain(_ number: Int32) -> Bool {
        switch tasks[number].attempt.phase {
        case .stopping(_, then: .backOff), .backingOff: true
        default: false
        }
    }

    mutating func timerFired(_ timer: TaskTimer, _ turn: inout WorkflowTurn) {
        defer { endTurn(&turn) }
        guard timer.number >= 0 else {
            _ = cancelAll(.deadline, includingCleanups: false, isOverdue: true, &turn)
            return
        }
        let number = timer.number
        let attempt = tasks[number].attempt
        switch timer.kind {
        case .timeout:
            turn.order(.timeOver(number, attempt: attempt.number, isDeadline: false))
        case .deadline:
            turn.order(.timeOver(number, attempt: attempt.number, isDeadline: true))
        case .grace: abandon(number, &turn)
        case .backOff:
            if tasks.enqueue(number) { lineUp(number, &turn) }
        case .watchdog:
            guard attempt.isRunning(attempt.number), let waited = terms.own[number]?.stall else { return }
            count(.stalled(waited), number, turn)
            terms.own[number]?.stall = waited * 2
            turn.set(timer, after: waited)
        }
    }

    /// The time of an attempt, or of all, is over: it has failed by that.
    mutating func timeOver(
        _ number: Int32, _ attempt: UInt32, _ failure: TaskFailure, retryAfter wait: Duration?,
        _ turn: inout WorkflowTurn
    ) {
        if tasks[number].attempt.isRunning(attempt) {
            end(number, attempt, .failed(failure, retryAfter: wait), by: .outside, &turn)
        } else if wait == nil, tasks[number].attempt.number == attempt, isBetweenAttempts(number) {
            // There only the time of all can be over, also while the next attempt stands in line.
            cancelInside(number, .timeIsOver, &turn)
            leave(number, tasks.stop(number), &turn)
            fail(number, failure, from: .ready, &turn)
        }
    }

    private func isBetweenAttempts(_ number: Int32) -> Bool {
        tasks[number].state == .ready && tasks[number].facts.contains(.began)
    }
}

extension CancellationReason {
    /// For what is inside a task.
    static let timeIsOver = CancellationReason(.surroundings, "the time of the task around it is over")
}
