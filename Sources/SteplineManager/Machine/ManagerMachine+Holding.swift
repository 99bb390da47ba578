import SteplineEngine

extension ManagerMachine {
    mutating func hold(
        _ record: TaskRecord, by position: Int, _ limits: HoldLimits, _ turn: inout ManagerTurn
    ) {
        move(record, to: .held(by: position), &turn)
        let formerAge = holds.limits(of: position).age
        holds.add(record, to: position, limits)
        let count = holds.counts[position]
        tell(.held, of: record, name: rules.interceptors[position], &turn)
        // The latest limits hold for all that are held.
        let isLasting = limits.age == nil
        for held in isLasting == (formerAge == nil) ? [record] : holds.held(by: position) {
            register.setUnmoved(held, isLasting)
        }
        if isReleased, isLasting, count < limits.count ?? .max {
            for held in holds.held(by: position) { end(held, .cancelled(.managerReleased), &turn) }
            return
        }
        if let most = limits.count, count >= max(most, 1) {
            reachLimit(of: position, &turn)
        } else if door != .open {
            release(by: position, &turn)
        } else if isLasting {
            turn.withdraw(.hold(position))
        } else if limits.age != formerAge || !turn.isSet(.hold(position)) {
            holdIsOver(position, &turn)
        }
        if let settlement = holds.settlement(of: position), record.stage.isHeld(by: position) {
            settleHeld(by: position, settlement, &turn)
        }
    }

    /// Looks whether the oldest of those that are held has waited for too long, now or when its time is over.
    mutating func holdIsOver(_ position: Int, _ turn: inout ManagerTurn) {
        guard let oldest = holds.oldest(of: position), let age = holds.limits(of: position).age else {
            return
        }
        let rest = oldest.since + age - turn.now
        if rest > .zero { turn.set(.hold(position), after: rest) } else { reachLimit(of: position, &turn) }
    }

    private mutating func reachLimit(of position: Int, _ turn: inout ManagerTurn) {
        guard holds.limits(of: position).then == .fail else { return release(by: position, &turn) }
        for record in takeHeld(by: position, &turn) {
            let error = record.error(.holdExpired, actor: rules.interceptors[position])
            end(record, .failure(error), tellsTask: false, &turn)
        }
    }

    /// Lets all go that an interceptor holds, in order of holding.
    mutating func release(by position: Int, _ turn: inout ManagerTurn) {
        guard holds.counts[position] > 0 else { return }
        for record in takeHeld(by: position, &turn) {
            tell(.released, of: record, name: rules.interceptors[position], &turn)
            enqueue(record, &turn)
        }
    }

    /// Takes out what an interceptor holds; all that was among it and has ended is let go.
    private mutating func takeHeld(by position: Int, _ turn: inout ManagerTurn) -> [TaskRecord] {
        turn.withdraw(.hold(position))
        let all = holds.takeAll(of: position)
        turn.letGo(of: all)
        let held = all.filter { $0.stage.isHeld(by: position) }
        for record in held {
            register.setUnmoved(record, false)
            // Whatever comes of it, it isn't among the held any more.
            record.stage = .awaitingTurn
        }
        return held
    }

    /// One that was held has ended.
    mutating func leaveHold(_ position: Int, _ turn: inout ManagerTurn) {
        let all = holds.hasEnded(position)
        guard holds.counts[position] == 0 else { return }
        turn.withdraw(.hold(position))
        turn.letGo(of: all)
    }

    // MARK: Settling

    /// Ends the wait of all that an interceptor holds, and of the one it may be about to hold.
    mutating func settleHeld(
        by position: Int, _ settlement: HoldSettlement, _ turn: inout ManagerTurn
    ) {
        if interception.current != nil { turn.letGo(of: holds.settle(position, settlement)) }
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
