package import SteplineSupport

extension Stages {
    /// Starts a Swift task that is nobody's part, on the stage's executor if this thread plays.
    ///
    /// What it takes is of the kind that tasks take: any other would be wrapped, and each task change its executor twice.
    @discardableResult
    package static func task(
        _ body: @escaping @isolated(any) @Sendable () async -> Void
    ) -> Task<Void, Never> {
        guard let stage = current else { return Task(operation: body) }
        return Task(executorPreference: stage.executor, operation: body)
    }

    /// The same for one that inherits nothing of where it is started.
    package static func detachedTask(
        _ body: @escaping @isolated(any) @Sendable () async -> Void
    ) -> Task<Void, Never> {
        guard let stage = current else { return Task.detached(operation: body) }
        return Task.detached(executorPreference: stage.executor, operation: body)
    }

    /// What hangs on purpose: waits until the Swift task is cancelled, on a stage and elsewhere.
    package static func hang() async {
        let stop = OneShot<Void>()
        await withTaskCancellationHandler {
            await stop.value
        } onCancel: {
            stop.fulfill(())
        }
    }
}
