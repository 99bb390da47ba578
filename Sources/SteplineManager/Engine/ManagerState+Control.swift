import SteplineSupport

extension ManagerState {
    mutating func takeNumber() -> ManagedTaskID {
        defer { nextNumber += 1 }
        return ManagedTaskID(manager: identifier, number: nextNumber)
    }

    mutating func pause() {
        guard !isPaused else { return }
        isPaused = true
        tell(.paused)
    }

    mutating func resume() {
        guard isPaused else { return }
        isPaused = false
        tell(.resumed)
        beginReady()
    }

    /// Keeps who waits for nothing to be in flight; nil if nothing is.
    mutating func waitUntilIdle(_ wake: @escaping @Sendable () -> Void) -> Int? {
        guard !isIdle else { return nil }
        lastOrder += 1
        idleWaiters[lastOrder] = wake
        return lastOrder
    }

    mutating func beginShutdown() {
        guard !isShuttingDown else { return }
        isShuttingDown = true
        tell(.shuttingDown)
        _ = endAll(.shutDown) { if case .notStarted = $0.phase { true } else { false } }
        for position in holds.indices { release(by: position) }
        resume()
    }

    mutating func endShutdown() {
        guard !hasShutDown else { return }
        hasShutDown = true
        tell(.shutDown)
        effects.eventWakeups += readers.finish()
    }

    /// Nobody can start, release or resume anything any more.
    mutating func ownerIsGone() {
        isReleased = true
        let (isPaused, holds) = (isPaused, holds)
        _ = endAll(.managerReleased) { record in
            switch record.phase {
            case .notStarted: true
            case .held(let holder): holds[holder].limits.age == nil
            case .queued: isPaused && record.exemptReactor == nil
            default: false
            }
        }
        resume()
        endLooksIfOver()
    }
}
