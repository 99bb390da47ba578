package import SteplineSupport

extension Stages {
    /// Starts an unstructured Swift task, on the stage's executor if this thread belongs to a simulation.
    ///
    /// The parameter type matches `Task.init` exactly. Another function type would be wrapped in a closure, and each
    /// task would switch its executor twice.
    @discardableResult
    package static func task(
        _ body: @escaping @isolated(any) @Sendable () async -> Void
    ) -> Task<Void, Never> {
        guard let stage = current else { return Task(operation: body) }
        return Task(executorPreference: stage.executor, operation: body)
    }

    /// Starts a detached Swift task, on the stage's executor if this thread belongs to a simulation.
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
