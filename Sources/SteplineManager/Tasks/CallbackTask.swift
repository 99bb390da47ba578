import SteplineSupport

/// A managed task for code that reports its end by a callback.
public protocol CallbackTask<Success>: ManagedTask {
    /// What it makes, as `execute(_:)` says.
    associatedtype Success

    /// Begins the work and returns; the work calls `done` when it has ended, from any thread.
    func execute(_ done: TaskCompletion<Success>)
}

extension CallbackTask {
    /// Calls the callback form, and waits for its end without holding a thread.
    public func execute() async throws -> Success {
        try await withCompletion(execute)
    }
}

/// Runs callback code as async code: returns when `done` has been called or its last copy dropped.
func withCompletion<Success: Sendable>(
    _ body: (TaskCompletion<Success>) -> Void
) async throws -> Success {
    let core = CompletionCore<Success>(place: ManagerPlace.current)
    return try await withTaskCancellationHandler {
        body(TaskCompletion(core))
        core.bodyReturned()
        return try await core.result.value.get()
    } onCancel: {
        core.cancel()
    }
}
