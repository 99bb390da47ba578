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

    /// Stops accepting tasks, and moves on the tasks that wait for a call.
    mutating func beginShutdown(_ turn: inout ManagerTurn) {
        guard admission == .open else { return }
        admission = .shuttingDown
        tell(.shuttingDown, &turn)
        // A task that waits for `start()` would never end.
        _ = cancelAll(.shutDown, &turn) { if case .notStarted = $0.stage { true } else { false } }
        // `admission` is set already, so `hold` releases the tasks that are held from now on.
        for position in holds.positions { release(by: position, &turn) }
        // A pause would keep ready tasks from draining.
        resume(&turn)
    }

    mutating func endShutdown(_ turn: inout ManagerTurn) {
        guard admission != .shut else { return }
        admission = .shut
        tell(.shutDown, &turn)
        telling.finish(&turn)
    }

    /// Ends the tasks that can never continue, because no caller can start, release or resume them any more.
    mutating func ownerIsGone(_ turn: inout ManagerTurn) {
        isReleased = true
        // Copies: `cancelAll` has exclusive access to `self` while it calls the closure.
        let (ready, holds) = (ready, holds)
        _ = cancelAll(.managerReleased, &turn) { record in
            switch record.stage {
            case .notStarted: true
            // A hold with an age limit ends by itself.
            case .held(let holder): holds.limits(of: holder).age == nil
            // Tasks of a reactor's run ignore a pause.
            case .ready: ready.isPaused && record.terms.reactor == nil || ready.isShut(for: record)
            default: false
            }
        }
        // Tasks that become ready later must not meet a pause that no caller can lift.
        resume(&turn)
        endTellingIfOver(&turn)
    }

    /// Ends a ready record that can never begin after the release of its manager.
    mutating func endIfShut(_ record: TaskRecord, _ turn: inout ManagerTurn) {
        if isReleased, ready.isShut(for: record) { end(record, .cancelled(.managerReleased), &turn) }
    }

    /// Stops the watch and the events of a released manager after its last task and run.
    mutating func endTellingIfOver(_ turn: inout ManagerTurn) {
        guard isReleased, register.unfinished == 0 else { return }
        for timer in [ManagerTimer.watchdog, .interception, .asking] { turn.withdraw(timer) }
        if runs.isIdle { telling.finish(&turn) }
    }
}
