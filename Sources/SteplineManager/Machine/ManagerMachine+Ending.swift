import SteplineEngine
import SteplineSupport

extension ManagerMachine {
    /// Ends a record, which lets no other begin: its body, if it has one, is live until it returns.
    ///
    /// With an error of the manager's `didCancel` is told, unless an interceptor ended it.
    mutating func end(
        _ record: TaskRecord, _ ending: TaskEnding, tellsTask: Bool = true, _ turn: inout ManagerTurn
    ) {
        guard record.stage.end == nil else { return }
        let body = leave(record, &turn)
        turn.withdraw(.delay(record))
        turn.withdraw(.timeout(record))
        turn.withdraw(.deadline(record))
        let end = Self.end(for: ending, of: record)
        register.remove(record, isCancelled: end == .cancelled)
        record.endError = Self.error(for: ending, of: record)
        let leftovers = record.conclude(with: ending)
        move(record, to: .ended(end), &turn)
        tell(.finished, of: record, &turn)
        for waiter in record.takeWaiters() { turn.order(.wake(waiter)) }
        if let body {
            if let runner = record.runner { turn.order(.stop(runner)) }
            if body == .running(record.attempt.number) { turn.set(.grace(record), after: rules.grace) }
        }
        record.runner = nil
        var news = TaskNews(record: record, leftovers: leftovers)
        if tellsTask { news.error = record.endError }
        news.deliveries = record.callbacks.end(end.kind, &turn)
        if news.count > 0 {
            tell(news)
        } else {
            letGo(leftovers, &turn)
            turn.letGo(of: record)
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

    /// The manager's error for an end; nil for the task's own, and an interceptor's.
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

    /// Takes the record out of wherever it waits; what of its body there was to be stopped.
    private mutating func leave(_ record: TaskRecord, _ turn: inout ManagerTurn) -> Attempt.Stopped? {
        switch record.stage {
        case .held(let holder): leaveHold(holder, &turn)
        case .ready: ready.remove(record)
        case .executing: return record.attempt.stop()
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

    /// A body has returned, or doesn't begin since its task has ended.
    mutating func bodyEnded(
        _ record: TaskRecord, attempt: UInt32, _ end: BodyEnd?, _ turn: inout ManagerTurn
    ) {
        let isInTime = record.attempt.isRunning(attempt)
        if let end, isInTime {
            turn.letGo(of: record.keep(end))
            if let outside = end.outside {
                // The body is back: nobody is to be stopped, and its runner goes on with others.
                record.runner = nil
                cancel(record, outside.reason, &turn)
            }
        }
        if record.attempt.isRunning(attempt) {
            _ = record.attempt.end(attempt, record.hasSucceeded ? .success : .failure, by: .body)
            _ = record.attempt.bodyReturned(attempt, isOver: true)
            ready.leave(record)
            turn.withdraw(.timeout(record))
            record.runner = nil
            tell(.attemptEnded, of: record, &turn)
            if rules.reactors.isEmpty {
                record.stage = .asked
                complete(record, &turn)
            } else {
                move(record, to: .asked, &turn)
                asking.append(record)
            }
        } else {
            if record.attempt.hasBody, record.attempt.number == attempt {
                _ = record.attempt.bodyReturned(attempt, isOver: true)
                ready.leave(record)
                turn.withdraw(.grace(record))
            }
            if !isInTime { tell(.lateEnd, of: record, attempt: Int(attempt), &turn) }
        }
        beginReady(&turn)
    }

    /// The code of a callback task has returned, and is to call its completion.
    mutating func codeReturned(_ record: TaskRecord, attempt: UInt32) {
        _ = record.attempt.bodyReturned(attempt)
    }

    /// Nobody waits for a stopped body any more.
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

    /// Ends a record as cancelled; false if it had ended.
    @discardableResult
    mutating func cancel(
        _ record: TaskRecord, _ reason: CancellationReason, _ turn: inout ManagerTurn
    ) -> Bool {
        guard record.stage.end == nil else { return false }
        end(record, .cancelled(reason), &turn)
        return true
    }

    /// Ends all that fit as cancelled, in order of adding.
    mutating func cancelAll(
        _ reason: CancellationReason, _ turn: inout ManagerTurn, where fits: (TaskRecord) -> Bool
    ) -> Int {
        let chosen = register.tasks.filter(fits)
        for record in chosen { end(record, .cancelled(reason), &turn) }
        return chosen.count
    }

    // MARK: Callbacks

    /// Registers a callback, which is due at once if the record has ended; its number.
    mutating func add(
        _ callback: Callbacks<Void>.Registration, to record: TaskRecord, _ turn: inout ManagerTurn
    ) -> UInt64 {
        let number = record.callbacks.add(callback)
        if let end = record.stage.end {
            let due = record.callbacks.end(end.kind, &turn)
            if !due.isEmpty { tell(TaskNews(record: record, deliveries: due)) }
        }
        return number
    }

    /// A delivery, or the telling of the task, is over.
    mutating func hasTold() { register.hasTold() }
}

extension TaskState.End {
    /// Which callbacks hear of it.
    var kind: Callbacks<Void>.Kind {
        switch self {
        case .succeeded: .success
        case .failed: .failure
        case .cancelled: .end
        }
    }
}
