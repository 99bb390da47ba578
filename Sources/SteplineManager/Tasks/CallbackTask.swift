import SteplineSupport

/// A managed task for code that reports its end through a callback.
public protocol CallbackTask<Success>: ManagedTask {
    /// The type of the value, inferred from `execute(_:)`.
    associatedtype Success

    /// Starts the work and returns; the work calls `done` at its end, from any thread.
    func execute(_ done: TaskCompletion<Success>)
}

extension CallbackTask {
    /// Calls the callback form and waits for its end without occupying a thread.
    ///
    /// - Throws: The error given to `done`, or a ``TaskManagerError`` `.completionDropped` if its last copy was
    ///   released without a call.
    public func execute() async throws -> Success {
        try await withCompletion(execute)
    }
}

/// Runs callback code as async code; returns when `done` is called or its last copy is released.
func withCompletion<Success: Sendable>(
    _ body: (TaskCompletion<Success>) -> Void
) async throws -> Success {
    // Read here: the completion may be called on a thread without the task-local value.
    let core = CompletionCore<Success>(place: ManagerPlace.current)
    return try await withTaskCancellationHandler {
        body(TaskCompletion(core))
        // From here on `explain()` reports the missing completion.
        core.bodyReturned()
        return try await core.result.value.get()
    } onCancel: {
        core.cancel()
    }
}
