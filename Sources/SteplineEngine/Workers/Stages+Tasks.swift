package import SteplineSupport

extension Stages {
    /// Starts a Swift task with the current values of the registered task-local variables, and no others.
    ///
    /// This thread may run code of any run, whose other values must not reach `body`.
    @discardableResult
    package static func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        guard let values = PropagatedValues.current else { return detachedTask(body) }
        return detachedTask { await values.run(body) }
    }

    /// Starts a detached Swift task, on the stage's executor if this thread belongs to a simulation.
    ///
    /// The parameter type matches `Task.detached` exactly. Another function type would be wrapped in a closure, and
    /// each task would switch its executor twice.
    package static func detachedTask(
        _ body: @escaping @isolated(any) @Sendable () async -> Void
    ) -> Task<Void, Never> {
        guard let stage = current else { return Task.detached(operation: body) }
        return Task.detached(executorPreference: stage.executor, operation: body)
    }

    /// Suspends until the current Swift task is cancelled; used by the fault that hangs.
    package static func hang() async {
        let stop = OneShot<Void>()
        await withTaskCancellationHandler {
            // `OneShot` keeps the value: a cancellation that precedes this wait ends the wait at once.
            await stop.value
        } onCancel: {
            stop.fulfill(())
        }
    }
}
