import SteplineSupport

extension TaskManager {
    /// Waits until nothing is in flight that goes on by itself, and all callbacks have returned.
    ///
    /// Tasks that were not started, and those held without an age limit, don't count. Throws `.wouldBlock` in a
    /// body, interceptor or reactor of this manager, and `CancellationError` when the waiting task is cancelled.
    public func waitUntilIdle() async throws {
        try core.refuseToWait()
        try await core.waitUntilIdle()
    }

    /// Takes no more tasks, drains what is there for `limit`, and cancels what is left then.
    ///
    /// Tasks that were not started end at once, held ones are released, and a pause is lifted. Cancelling the
    /// wait ends the draining. Throws `.wouldBlock` in a body, interceptor or reactor of this manager.
    @discardableResult
    public func shutdown(draining limit: Duration? = .seconds(30)) async throws -> ShutdownReport {
        try core.refuseToWait()
        let before = core.update { machine in
            let before = (machine.finishedCount, machine.cancelledCount, machine.abandonedCount)
            machine.beginShutdown()
            return before
        }
        let core = core
        let timer = limit.map { limit in
            core.options.clock.schedule(after: max(limit, .zero)) { core.cancelForShutdown() }
        }
        defer { timer?.end() }
        await withTaskCancellationHandler {
            await core.untilIdle()
        } onCancel: {
            core.cancelForShutdown()
        }
        return core.update { machine in
            machine.endShutdown()
            let cancelled = machine.cancelledCount - before.1
            return ShutdownReport(
                finished: machine.finishedCount - before.0 - cancelled, cancelled: cancelled,
                abandoned: machine.abandonedCount - before.2)
        }
    }

    /// What became of the tasks during a shutdown.
    public struct ShutdownReport: Sendable, Hashable {
        /// How many finished.
        public let finished: Int
        /// How many were cancelled.
        public let cancelled: Int
        /// How many stopped bodies had not ended.
        public let abandoned: Int
    }
}

extension ManagerCore {
    /// Whoever waits here would wait for himself.
    func refuseToWait() throws {
        guard let place = ManagerPlace.current, place.core === self, place.kind != .callback else { return }
        throw TaskManagerError(.wouldBlock, of: place.record, attempt: place.attempt)
    }

    func cancelForShutdown() {
        update(on: .shared) { machine in _ = machine.endAll(.shutDown) { _ in true } }
    }

    /// Waits whatever happens to the waiting task.
    func untilIdle() async {
        await withCheckedContinuation { continuation in
            let isWaiting = machine.withLock { $0.waitUntilIdle { continuation.resume() } }
            if isWaiting == nil { continuation.resume() }
        }
    }

    func waitUntilIdle() async throws {
        let end = OneShot<Result<Void, any Error>>()
        let waiter = machine.withLock { $0.waitUntilIdle { end.fulfill(.success(())) } }
        guard let waiter else { return }
        try await withTaskCancellationHandler {
            try await end.value.get()
        } onCancel: {
            _ = machine.withLock { $0.idleWaiters.removeValue(forKey: waiter) }
            end.fulfill(.failure(CancellationError()))
        }
    }
}
