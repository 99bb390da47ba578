import SteplineEngine

extension ManagerMachine {
    mutating func hold(
        _ record: TaskRecord, by position: Int, _ limits: HoldLimits, _ turn: inout ManagerTurn
    ) {
        move(record, to: .held(by: position), &turn)
        // Before `add`, which replaces the limits.
        let formerAge = holds.limits(of: position).age
        holds.add(record, to: position, limits)
        let count = holds.counts[position]
        tell(.held, of: record, name: rules.interceptors[position], &turn)
        // The latest limits apply to all held tasks.
        let isLasting = limits.age == nil
        // Whether a hold has an age limit decides whether `waitUntilIdle` counts its tasks.
        for held in isLasting == (formerAge == nil) ? [record] : holds.held(by: position) {
            register.setUnmoved(held, isLasting)
        }
        // Without an age limit, no event would ever release the tasks of a released manager.
        if isReleased, isLasting, count < limits.count ?? .max {
            // At the count limit `reachLimit` below releases or fails the tasks instead.
            for held in holds.held(by: position) { end(held, .cancelled(.managerReleased), &turn) }
            return
        }
        if let most = limits.count, count >= max(most, 1) {
            reachLimit(of: position, &turn)
        } else if admission != .open {
            // A shutdown releases held tasks, including tasks that are held later.
            release(by: position, &turn)
        } else if isLasting {
            withdrawHold(position, &turn)
        } else if limits.age != formerAge
            || !(turn.isSet(.hold(position)) || turn.isSet(.holdLimit(position)))
        {
            // A new age limit may already have passed for the oldest task.
            holdIsOver(position, &turn)
        }
        // The interceptor's run ended while it decided to hold this task: settle the task like the others.
        if let settlement = holds.settlement(of: position), record.stage.isHeld(by: position) {
            settleHeld(by: position, settlement, &turn)
        }
    }

    /// Checks whether the oldest held task has reached the age limit; otherwise sets a timer for that time.
    mutating func holdIsOver(_ position: Int, _ turn: inout ManagerTurn) {
        guard let oldest = holds.oldest(of: position), let age = holds.limits(of: position).age else {
            return
        }
        // The stage began when the hold did, so `since` is the begin of the hold.
        let rest = oldest.since + age - turn.now
        guard rest > .zero else { return reachLimit(of: position, &turn) }
        withdrawHold(position, &turn)
        let fails = holds.limits(of: position).then == .fail
        turn.set(fails ? .holdLimit(position) : .hold(position), after: rest)
    }

    private func withdrawHold(_ position: Int, _ turn: inout ManagerTurn) {
        turn.withdraw(.hold(position))
        turn.withdraw(.holdLimit(position))
    }

    private mutating func reachLimit(of position: Int, _ turn: inout ManagerTurn) {
        guard holds.limits(of: position).then == .fail else { return release(by: position, &turn) }
        for record in takeHeld(by: position, &turn) {
            let error = record.error(.holdExpired, actor: rules.interceptors[position])
            end(record, .failure(error), tellsTask: false, &turn)
        }
    }

    /// Releases every task held by an interceptor, oldest first.
    mutating func release(by position: Int, _ turn: inout ManagerTurn) {
        guard holds.counts[position] > 0 else { return }
        for record in takeHeld(by: position, &turn) {
            tell(.released, of: record, name: rules.interceptors[position], &turn)
            enqueue(record, &turn)
        }
    }

    /// Takes an interceptor's held tasks; ended tasks in the list are released after unlock.
    private mutating func takeHeld(by position: Int, _ turn: inout ManagerTurn) -> [TaskRecord] {
        withdrawHold(position, &turn)
        let all = holds.takeAll(of: position)
        // The list may hold the last references to ended records, which own user objects.
        turn.releaseAfterUnlock(all)
        let held = all.filter { $0.stage.isHeld(by: position) }
        for record in held {
            register.setUnmoved(record, false)
            // Leave the stage `held`: whatever the caller does, `leaveHold` must not count this record again.
            record.stage = .awaitingTurn
        }
        return held
    }

    /// Records the end of a held task.
    mutating func leaveHold(_ position: Int, _ turn: inout ManagerTurn) {
        let all = holds.hasEnded(position)
        guard holds.counts[position] == 0 else { return }
        withdrawHold(position, &turn)
        turn.releaseAfterUnlock(all)
    }

    // MARK: Settling

    /// Settles all tasks that an interceptor holds, and the task that it may be about to hold.
    mutating func settleHeld(
        by position: Int, _ settlement: HoldSettlement, _ turn: inout ManagerTurn
    ) {
        // The interceptors are being asked right now, and this one may still answer `hold`.
        if interception.current != nil { turn.releaseAfterUnlock(holds.settle(position, settlement)) }
        guard holds.counts[position] > 0 else { return }
        let name = rules.interceptors[position]
        for record in takeHeld(by: position, &turn) {
            switch settlement {
            case .asksAgain:
                tell(.released, of: record, name: name, &turn)
                askAgain(record, &turn)
            case .failed(let cause):
                end(record, .failure(record.error(.reactorFailed, actor: name, underlying: cause)), &turn)
            case .timedOut(let limit):
                var error = record.error(.reactorTimedOut, actor: name)
                error.duration = limit
                end(record, .failure(error), &turn)
            }
        }
    }
}
