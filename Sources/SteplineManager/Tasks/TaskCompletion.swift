/// What the code of a ``CallbackTask`` calls once to report its end.
///
/// The first call counts. When the last copy is dropped uncalled, the attempt fails with
/// ``TaskManagerError/Code/completionDropped``.
public struct TaskCompletion<Success: Sendable>: Sendable {
    // Not the core itself, which whoever waits for the result also keeps: this one dies with the last copy.
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

    /// Whether the attempt has been stopped, so that its result matters to nobody.
    public var isCancelled: Bool { keeper.core.isCancelled }

    /// Calls `handler` once when the attempt is stopped; at once if it has been.
    ///
    /// It is let go, uncalled, when the attempt's end comes before a stop.
    public func onCancel(_ handler: @escaping @Sendable () -> Void) { keeper.core.onCancel(handler) }
}

extension TaskCompletion where Success == Void {
    /// Ends the attempt.
    public func callAsFunction() { keeper.core.end(.success(())) }
}
