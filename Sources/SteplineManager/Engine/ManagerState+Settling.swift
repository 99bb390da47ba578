/// What has become of what an interceptor held its tasks for.
enum HoldSettlement {
    /// They pass the interceptors again, as they were added.
    case asksAgain
    case failed(any Error)
    case timedOut(Duration)
}

extension ManagerState {
    /// Ends the wait of all that an interceptor holds, and of the one it may be about to hold.
    mutating func settleHeld(by position: Int, _ settlement: HoldSettlement) {
        if interception.current != nil { settled[position] = settlement }
        guard holds[position].count > 0 else { return }
        let hadAge = holds[position].limits.age != nil
        let released = holds[position].records.filter { $0.isHeld(by: position) }
        if case .asksAgain = settlement {
            forgetHeld(by: position)
            for record in released {
                if !hadAge { unmoved -= 1 }
                tell(.released, record, name: interceptorNames[position])
                askAgain(record)
            }
        } else {
            for record in released { fail(record, heldBy: position, settlement) }
        }
        beginReady()
    }

    private mutating func fail(_ record: TaskRecord, heldBy position: Int, _ settlement: HoldSettlement) {
        let name = interceptorNames[position]
        switch settlement {
        case .asksAgain: break
        case .failed(let cause):
            var error = TaskManagerError(.reactorFailed, of: record, attempt: record.attempt, actor: name)
            error.underlying = cause
            end(record, .failed, error)
        case .timedOut(let limit):
            var error = TaskManagerError(.reactorTimedOut, of: record, attempt: record.attempt, actor: name)
            error.duration = limit
            end(record, .timedOut, error)
        }
    }

    /// Sends a record past the interceptors, as it was added.
    mutating func askAgain(_ record: TaskRecord) {
        record.restoreTask()
        move(record, to: .awaitingTurn)
        interception.append(record)
    }
}
