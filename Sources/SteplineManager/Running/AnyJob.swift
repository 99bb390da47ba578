/// A record whose task can be asked about and run, without its type.
class AnyJob: TaskRecord, @unchecked Sendable {  // adds no variables
    /// Asks an interceptor about the task.
    func intercept(with interceptor: any Interceptor, _ context: InterceptContext) async throws
        -> InterceptCommand
    {
        .execute
    }

    /// How long the attempt that is to begin may take.
    var bodyLimit: Duration? { terms.timeout }

    /// Runs one attempt.
    func execute() async -> BodyEnd { BodyEnd(result: nil, hasSucceeded: false) }

    /// The end of an attempt that fails without its body, or behind it.
    func failed(with error: any Error) -> BodyEnd { BodyEnd(result: nil, hasSucceeded: false) }

    /// Asks a reactor about the kept result.
    func ask(_ reactor: any Reactor, _ context: ReactionContext) async -> Bool { false }

    /// Asks a reactor that said yes how long the task is to wait at least.
    func wait(for reactor: any WaitingReactor, _ context: ReactionContext) -> Duration? { nil }

    /// Tells the task, as it was when it ended, why it did.
    func didCancel(_ leftovers: TaskLeftovers, because error: TaskManagerError) {}
}
