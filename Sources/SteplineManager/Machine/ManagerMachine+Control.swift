import SteplineEngine

extension ManagerMachine {
    mutating func pause(_ turn: inout ManagerTurn) {
        guard !ready.isPaused else { return }
        ready.isPaused = true
        tell(.paused, &turn)
    }

    mutating func resume(_ turn: inout ManagerTurn) {
        guard ready.isPaused else { return }
        ready.isPaused = false
        tell(.resumed, &turn)
        beginReady(&turn)
    }

    /// Takes no more tasks, and moves on what waits for somebody.
    mutating func beginShutdown(_ turn: inout ManagerTurn) {
        guard door == .open else { return }
        door = .shuttingDown
        tell(.shuttingDown, &turn)
        _ = cancelAll(.shutDown, &turn) { if case .notStarted = $0.stage { true } else { false } }
        for position in holds.positions { release(by: position, &turn) }
        resume(&turn)
    }

    mutating func endShutdown(_ turn: inout ManagerTurn) {
        guard door != .shut else { return }
        door = .shut
        tell(.shutDown, &turn)
        telling.finish(&turn)
    }

    /// Nobody can start, release or resume anything any more, nor raise a limit.
    mutating func ownerIsGone(_ turn: inout ManagerTurn) {
        isReleased = true
        let (ready, holds) = (ready, holds)
        _ = cancelAll(.managerReleased, &turn) { record in
            switch record.stage {
            case .notStarted: true
            case .held(let holder): holds.limits(of: holder).age == nil
            case .ready: ready.isPaused && record.terms.reactor == nil || ready.isShut(for: record)
            default: false
            }
        }
        resume(&turn)
        endTellingIfOver(&turn)
    }

    /// Ends a record that is ready and can never begin, as its manager is gone.
    mutating func endIfShut(_ record: TaskRecord, _ turn: inout ManagerTurn) {
        if isReleased, ready.isShut(for: record) { end(record, .cancelled(.managerReleased), &turn) }
    }

    /// Once the manager is gone and all its tasks and runs have ended, nothing is watched, and nothing more is told.
    mutating func endTellingIfOver(_ turn: inout ManagerTurn) {
        guard isReleased, register.unfinished == 0 else { return }
        for timer in [ManagerTimer.watchdog, .interception, .asking] { turn.withdraw(timer) }
        if runs.isIdle { telling.finish(&turn) }
    }
}
