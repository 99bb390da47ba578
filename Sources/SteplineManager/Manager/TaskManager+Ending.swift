import SteplineEngine
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
        let before = core.update { machine, turn in
            defer { machine.beginShutdown(&turn) }
            return machine.register.totals
        }
        let core = core
        let timer = limit.map { limit in
            core.clock.schedule(after: max(limit, .zero)) { core.cancelForShutdown() }
        }
        defer { timer?.cancel() }
        await withTaskCancellationHandler {
            await core.untilIdle()
        } onCancel: {
            core.cancelForShutdown()
        }
        return core.update { machine, turn in
            machine.endShutdown(&turn)
            let totals = machine.register.totals
            let cancelled = totals.cancelled - before.cancelled
            return ShutdownReport(
                finished: totals.finished - before.finished - cancelled, cancelled: cancelled,
                abandoned: totals.abandoned - before.abandoned)
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
        guard let place = ManagerPlace.current, place.door === self, place.kind != .callback else { return }
        throw place.record?.error(.wouldBlock) ?? TaskManagerError(.wouldBlock)
    }

    func cancelForShutdown() {
        update(on: .other) { machine, turn in _ = machine.cancelAll(.shutDown, &turn) { _ in true } }
    }

    /// Waits whatever happens to the waiting task.
    func untilIdle() async {
        let end = TaskWaiter()
        if update({ machine, _ in machine.register.waitUntilIdle(end) }) {
            await end.value
        }
    }

    func waitUntilIdle() async throws {
        let end = TaskWaiter()
        guard update({ machine, _ in machine.register.waitUntilIdle(end) }) else { return }
        try await withTaskCancellationHandler {
            await end.value
            try Task.checkCancellation()
        } onCancel: {
            update(on: .other) { machine, _ in machine.register.removeWaiter(end) }
            end.wake()
        }
    }
}
