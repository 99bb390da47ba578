import SteplineEngine
import SteplineSupport

extension TaskManager {
    /// Waits until no task continues by itself and all callbacks have returned.
    ///
    /// Tasks that weren't started, and tasks held without an age limit, don't count.
    ///
    /// - Throws: `.wouldBlock` in a body, interceptor or reactor of this manager. `CancellationError` if the waiting
    ///   task is cancelled.
    public func waitUntilIdle() async throws {
        try core.refuseToWait()
        try await core.waitUntilIdle()
    }

    /// Shuts the manager down: waits for running tasks, then cancels the rest.
    ///
    /// Unstarted tasks end at once, held tasks are released, and a pause is lifted. New tasks are rejected. Cancelling
    /// the wait cancels all tasks.
    ///
    /// Several calls may wait at once. Each has a limit of its own, and the first limit that passes cancels the tasks
    /// for all calls. A cancelled task ends at once: the call doesn't wait for its stopped body.
    ///
    /// - Parameter limit: The maximum time to wait before tasks are cancelled; nil for no limit.
    /// - Returns: The numbers of ended tasks.
    /// - Throws: `.wouldBlock` in a body, interceptor or reactor of this manager.
    @discardableResult
    public func shutdown(draining limit: Duration? = .seconds(30)) async throws -> ShutdownReport {
        try core.refuseToWait()
        let before = core.update { machine, turn in
            // The totals before the shutdown: the report counts the difference.
            defer { machine.beginShutdown(&turn) }
            return machine.register.totals
        }
        let core = core
        let timer = limit.map { limit in
            // The clock's thread must not run callbacks: `cancelForShutdown` hands them to a worker.
            core.clock.scheduleInBackground(after: max(limit, .zero)) { core.cancelForShutdown() }
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

    /// The numbers of tasks that ended during a shutdown.
    public struct ShutdownReport: Sendable, Hashable {
        /// The number of tasks that ended without a cancellation.
        public let finished: Int
        /// The number of cancelled tasks.
        public let cancelled: Int
        /// The number of stopped bodies whose grace period passed during the shutdown.
        ///
        /// The bodies that this shutdown stops usually don't count: the call returns before their grace has passed.
        public let abandoned: Int
    }
}

extension ManagerCore {
    /// Throws if the caller runs in code that the wait would wait for.
    func refuseToWait() throws {
        // Callbacks can't await. A Swift task that a callback starts inherits its place, but delays no callback.
        guard let place = ManagerPlace.current, place.control === self, place.kind != .callback else {
            return
        }
        throw place.record?.error(.wouldBlock) ?? TaskManagerError(.wouldBlock)
    }

    func cancelForShutdown() {
        update(on: .other) { machine, turn in _ = machine.cancelAll(.shutDown, &turn) { _ in true } }
    }

    /// Waits for idleness, ignoring a cancellation of the Swift task.
    func untilIdle() async {
        let end = TaskWaiter()
        if update({ $0.register.waitUntilIdle(end) || $0.wakesLater(end, &$1) }) {
            await end.value
        }
    }

    func waitUntilIdle() async throws {
        let end = TaskWaiter()
        guard update({ $0.register.waitUntilIdle(end) || $0.wakesLater(end, &$1) }) else { return }
        try await withTaskCancellationHandler {
            await end.value
            try Task.checkCancellation()
        } onCancel: {
            // The waiter may be woken already: `wake` has no effect the second time.
            update(on: .other) { machine, _ in machine.register.removeWaiter(end) }
            end.wake()
        }
    }
}

extension TaskManager.ShutdownReport: CustomStringConvertible {
    /// The counts: `3 finished, 1 cancelled, 0 abandoned`.
    public var description: String { "\(finished) finished, \(cancelled) cancelled, \(abandoned) abandoned" }
}
