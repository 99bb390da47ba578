import SteplineSupport

extension ManagerState {
    /// Ends a record; with an error of the manager's `didCancel` is told, unless an interceptor ended it.
    mutating func end(
        _ record: TaskRecord, _ outcome: TaskState.Outcome, _ error: (any Error)?, tellsTask: Bool = true
    ) {
        guard record.outcome == nil else { return }
        let wasLive = leave(record)
        disarm(record)
        if let timer = record.deadlineTimer {
            effects.endedTimers.append(timer)
            record.deadlineTimer = nil
        }
        unlist(record)
        record.outcome = outcome
        record.reaction = nil
        let managerError = error as? TaskManagerError
        record.endError = managerError
        finishedCount += 1
        if outcome == .cancelled { cancelledCount += 1 }
        let delivery = record.conclude(error)
        move(record, to: .ended)
        tell(.finished, record)
        var runner: Runner?
        if wasLive {
            stopped[ObjectIdentifier(record)] = record
            record.bodyIsStopped = true
            runner = record.runner
            effects.timers.append((.abandon(record, attempt: record.attempt), abandonAfter))
        }
        record.runner = nil
        let told = error != nil && tellsTask ? managerError : nil
        if told != nil || !delivery.callbacks.isEmpty { telling += 1 }
        if told != nil || runner != nil || !delivery.isEmpty {
            effects.ends.append(.init(record: record, delivery: delivery, runner: runner, error: told))
        } else {
            released.add(delivery.task)
            released.add(delivery.changedTask)
            released.add(delivery.result)
        }
        wakeIfIdle()
    }

    /// Takes the record out of wherever it waits; whether a body is live.
    private mutating func leave(_ record: TaskRecord) -> Bool {
        switch record.phase {
        case .notStarted: unmoved -= 1
        case .held(let holder):
            holds[holder].count -= 1
            heldCounts[holder] -= 1
            if holds[holder].limits.age == nil { unmoved -= 1 }
            if holds[holder].count == 0 { forgetHeld(by: holder) }
        case .queued:
            dequeue(record)
        case .live: return true
        case .delayed, .awaitingTurn, .intercepting, .asked, .reacting, .backingOff, .ended: break
        }
        return false
    }

    /// A body has returned.
    mutating func bodyEnded(_ record: TaskRecord, attempt: Int, _ end: BodyEnd? = nil) {
        if let end, record.outcome == nil, record.attempt == attempt {
            released.add(record.keep(end))
            if let outside = end.outside { cancel(record, reason: outside.reason) }
        }
        if record.outcome != nil || record.attempt != attempt {
            if stopped.removeValue(forKey: ObjectIdentifier(record)) != nil {
                freeSlot(of: record)
                disarm(record)
            }
            tell(.lateEnd, record, attempt: attempt)
        } else {
            freeSlot(of: record)
            disarm(record)
            record.runner = nil
            tell(.attemptEnded, record)
            if reactorNames.isEmpty {
                record.phase = .asked
                complete(record)
            } else {
                move(record, to: .asked)
                asking.append(record)
            }
        }
        beginReady()
    }

    /// Ends a record with its own result.
    mutating func complete(_ record: TaskRecord) {
        end(record, record.hasSucceeded ? .succeeded : .failed, nil)
    }

    mutating func abandon(_ record: TaskRecord, attempt: Int) {
        guard stopped.removeValue(forKey: ObjectIdentifier(record)) != nil else { return }
        abandonedCount += 1
        freeSlot(of: record)
        tell(.abandoned, record, attempt: attempt)
        beginReady()
    }

    // MARK: Cancelling

    mutating func cancel(_ record: TaskRecord, reason: String?) {
        guard record.outcome == nil else { return }
        var error = TaskManagerError(.cancelled, of: record, attempt: record.attempt)
        error.reason = reason
        end(record, .cancelled, error)
        beginReady()
    }

    /// Ends all that fit with `code`, in order of adding.
    mutating func endAll(
        _ code: TaskManagerError.Code, reason: String? = nil, where fits: (TaskRecord) -> Bool
    ) -> Int {
        var count = 0
        for record in tasks where fits(record) {
            var error = TaskManagerError(code, of: record, attempt: record.attempt)
            error.reason = reason
            end(record, .cancelled, error)
            count += 1
        }
        beginReady()
        return count
    }

    // MARK: Idle

    /// Whether nothing is in flight that goes on by itself.
    var isIdle: Bool { unfinished == unmoved && telling == 0 }

    mutating func wakeIfIdle() {
        guard !idleWaiters.isEmpty, isIdle else { return }
        effects.wakeups += idleWaiters.values
        idleWaiters = [:]
    }

    mutating func told() {
        telling -= 1
        wakeIfIdle()
    }
}
