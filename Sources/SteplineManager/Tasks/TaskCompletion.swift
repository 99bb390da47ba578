/// The completion that the code of a ``CallbackTask`` calls once to report its end.
///
/// The first call counts. If the last copy is released without a call, the attempt fails with
/// ``TaskManagerError/Code/completionDropped``.
public struct TaskCompletion<Success: Sendable>: Sendable {
    // The keeper, not the core: waiters retain the core, but the keeper is freed with the last copy.
    private let keeper: CompletionKeeper<Success>

    init(_ core: CompletionCore<Success>) {
        keeper = CompletionKeeper(core)
    }

    /// Ends the attempt with a value.
    public func callAsFunction(_ value: Success) { keeper.core.end(.success(value)) }

    /// Ends the attempt with a result.
    public func callAsFunction(_ result: Result<Success, any Error>) { keeper.core.end(result) }

    /// Ends the attempt with an error.
    public func callAsFunction(throwing error: any Error) { keeper.core.end(.failure(error)) }

    /// Whether the attempt was stopped, so its result is not used.
    public var isCancelled: Bool { keeper.core.isCancelled }

    /// Calls `handler` once when the attempt is stopped; at once if it was stopped already.
    ///
    /// The handler is released without a call if the attempt ends first.
    ///
    /// - Parameter handler: The handler, called on the stopping thread.
    public func onCancel(_ handler: @escaping @Sendable () -> Void) { keeper.core.onCancel(handler) }
}

extension TaskCompletion where Success == Void {
    /// Ends the attempt.
    public func callAsFunction() { keeper.core.end(.success(())) }
}
