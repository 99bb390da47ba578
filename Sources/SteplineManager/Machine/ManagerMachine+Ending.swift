import SteplineEngine
import SteplineSupport

extension ManagerMachine {
    /// Ends a record without starting another one; a live body keeps its slot until its end or the grace period.
    ///
    /// `didCancel` is called for an error of the manager, such as a time-out, and not only after a cancellation. It
    /// isn't called if an interceptor ended the record.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - ending: The outcome.
    ///   - tellsTask: Whether `didCancel` is called for a manager's error.
    ///   - turn: The transaction.
    mutating func end(
        _ record: TaskRecord, _ ending: TaskEnding, tellsTask: Bool = true, _ turn: inout ManagerTurn
    ) {
        // The first end counts: a timeout and a cancellation may race for the lock.
        guard record.stage.end == nil else { return }
        // Before `move`, which overwrites the stage that names the queue or the hold.
        let body = leave(record, &turn)
        turn.withdraw(.delay(record))
        turn.withdraw(.timeout(record))
        turn.withdraw(.deadline(record))
        let end = Self.end(for: ending, of: record)
        register.remove(record, isCancelled: end == .cancelled)
        record.endError = Self.error(for: ending, of: record)
        // After this line the outcome is final, and callbacks read it without the lock.
        let leftovers = record.conclude(with: ending)
        move(record, to: .ended(end), &turn)
        tell(.finished, of: record, &turn)
        // Waiters first: a waiter sees the end before any callback runs. Only the log's lines come before.
        for waiter in record.takeWaiters() { wake(waiter, &turn) }
        if let body {
            if let runner = record.runner { turn.order(.stop(runner)) }
            // After an outside cancellation `bodyEnded` withdraws this timer in the same transaction.
            if body == .running(record.attempt.number) { turn.set(.grace(record), after: rules.grace) }
        }
        record.runner = nil
        var news = TaskNews(record: record, leftovers: leftovers)
        if tellsTask { news.error = record.endError }
        // Callbacks are called after unlock; later registrations are due at once.
        news.deliveries = record.callbacks.end(end.kind, &turn)
        if news.count > 0 {
            tell(news)
        } else {
            release(leftovers, &turn)
            // The last reference to the record may own user objects.
            turn.releaseAfterUnlock(record)
        }
        endTellingIfOver(&turn)
    }

    private static func end(for ending: TaskEnding, of record: TaskRecord) -> TaskState.End {
        switch ending {
        case .result: record.hasSucceeded ? .succeeded : .failed
        case .failure: .failed
        case .cancelled: .cancelled
        }
    }

    /// Returns the manager's error for an end; nil for a task's or an interceptor's own error.
    private static func error(for ending: TaskEnding, of record: TaskRecord) -> TaskManagerError? {
        switch ending {
        case .result: return nil
        case .failure(let error): return error as? TaskManagerError
        case .cancelled(let reason):
            var error = record.error(.cancelled)
            error.cancellation = reason
            return error
        }
    }

    /// Removes the record from its current queue or hold; returns the activity that was stopped if a body is live.
    private mutating func leave(_ record: TaskRecord, _ turn: inout ManagerTurn) -> Attempt.Stopped? {
        switch record.stage {
        case .held(let holder): leaveHold(holder, &turn)
        case .ready: ready.remove(record)
        // The body is live: its slot stays occupied until it ends or is given up.
        case .executing: return record.attempt.stop()
        // Nothing to remove: the queues of these stages skip ended records.
        case .notStarted, .delayed, .awaitingTurn, .intercepting, .asked, .reacting, .backingOff, .ended:
            break
        }
        _ = record.attempt.stop()
        return nil
    }

    /// Ends a record with its own result.
    mutating func complete(_ record: TaskRecord, _ turn: inout ManagerTurn) {
        end(record, .result, &turn)
    }

    // MARK: Bodies

    /// Handles the end of a body; `end` is nil if the task ended before its code began.
    mutating func bodyEnded(
        _ record: TaskRecord, attempt: UInt32, _ end: BodyEnd?, _ turn: inout ManagerTurn
    ) {
        let isInTime = record.attempt.isRunning(attempt)
        // Keep the result only if the attempt still counts: the task may have ended meanwhile.
        if let end, isInTime {
            turn.releaseAfterUnlock(record.keep(end))
            if let outside = end.outside {
                // The body has returned: no Swift task needs to be stopped, and its runner continues with other work.
                record.runner = nil
                cancel(record, outside.reason, &turn)
            }
        }
        if record.attempt.isRunning(attempt) {
            _ = record.attempt.end(attempt, record.hasSucceeded ? .success : .failure, by: .body)
            // `execute` has returned with a result: both halves of the body's end are complete.
            _ = record.attempt.bodyReturned(attempt, isOver: true)
            ready.leave(record)
            turn.withdraw(.timeout(record))
            record.runner = nil
            tell(.attemptEnded, of: record, &turn)
            // Fast path: without reactors the result is final.
            if rules.reactors.isEmpty {
                // Leave `executing`, so that `end` stops no body. Without `move` no reader sees this stage.
                record.stage = .asked
                complete(record, &turn)
            } else {
                move(record, to: .asked, &turn)
                // The slot is free already: reactions don't count as bodies.
                asking.append(record)
            }
        } else {
            // The task ended during the body: only the slot is given back.
            if record.attempt.hasBody, record.attempt.number == attempt {
                _ = record.attempt.bodyReturned(attempt, isOver: true)
                ready.leave(record)
                turn.withdraw(.grace(record))
            }
            // A manager that ended the attempt reports the late end, whose result is ignored.
            // A body that reported an outside cancellation was in time, although its task has ended above.
            if !isInTime { tell(.lateEnd, of: record, attempt: Int(attempt), &turn) }
        }
        beginReady(&turn)
    }

    /// Records that the code of a callback task has returned, so the task waits for its completion.
    mutating func codeReturned(_ record: TaskRecord, attempt: UInt32) {
        _ = record.attempt.bodyReturned(attempt)
    }

    /// Gives up a stopped body that hasn't ended within the grace period.
    mutating func graceIsOver(_ record: TaskRecord, _ turn: inout ManagerTurn) {
        guard record.attempt.hasBody else { return }
        _ = record.attempt.giveUpBody(record.attempt.number)
        register.hasAbandoned()
        ready.leave(record)
        tell(.abandoned, of: record, &turn)
        beginReady(&turn)
    }

    mutating func timeIsOver(_ record: TaskRecord, _ turn: inout ManagerTurn) {
        guard case .executing = record.stage else { return }
        end(record, .failure(timedOut(record, .attempt, record.timeout)), &turn)
    }

    mutating func deadlineHasPassed(_ record: TaskRecord, _ turn: inout ManagerTurn) {
        end(record, .failure(timedOut(record, .total, record.terms.deadline)), &turn)
    }

    private func timedOut(
        _ record: TaskRecord, _ limit: TaskManagerError.Limit, _ duration: Duration?
    ) -> TaskManagerError {
        var error = record.error(.timedOut)
        error.limit = limit
        error.duration = duration
        return error
    }

    // MARK: Cancelling

    /// Cancels a record; returns false if it had ended.
    @discardableResult
    mutating func cancel(
        _ record: TaskRecord, _ reason: CancellationReason, _ turn: inout ManagerTurn
    ) -> Bool {
        guard record.stage.end == nil else { return false }
        end(record, .cancelled(reason), &turn)
        return true
    }

    /// Cancels all matching records, in order of addition; returns their number.
    mutating func cancelAll(
        _ reason: CancellationReason, _ turn: inout ManagerTurn, where fits: (TaskRecord) -> Bool
    ) -> Int {
        // Collect first: ending a record changes the register.
        let chosen = register.tasks.filter(fits)
        for record in chosen { end(record, .cancelled(reason), &turn) }
        return chosen.count
    }

    // MARK: Callbacks

    /// Registers a callback, which is due at once after the end; returns its number.
    mutating func add(
        _ callback: Callbacks<Void>.Registration, to record: TaskRecord, _ turn: inout ManagerTurn
    ) -> UInt64 {
        let number = record.callbacks.add(callback)
        // The registration and this check are one transaction: an end can't come between them.
        if let end = record.stage.end {
            let due = record.callbacks.end(end.kind, &turn)
            if !due.isEmpty { tell(TaskNews(record: record, deliveries: due)) }
        }
        return number
    }

    /// Records that a notification has been delivered.
    mutating func hasNotified() { register.hasNotified() }
}

extension TaskState.End {
    /// The callbacks that match this end.
    var kind: Callbacks<Void>.Kind {
        switch self {
        case .succeeded: .success
        case .failed: .failure
        // A cancellation is neither a success nor a failure: only callbacks for any end match.
        case .cancelled: .end
        }
    }
}
