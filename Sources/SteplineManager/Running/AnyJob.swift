/// A record whose task can be asked about and run without its type.
class AnyJob: TaskRecord, @unchecked Sendable {  // adds no variables
    /// Asks an interceptor about the task.
    func intercept(with interceptor: any Interceptor, _ context: InterceptContext) async throws
        -> InterceptCommand
    {
        .execute
    }

    /// The time limit of the next attempt.
    var bodyLimit: Duration? { terms.timeout }

    /// Runs one attempt.
    func execute() async -> BodyEnd { BodyEnd(result: nil, hasSucceeded: false) }

    /// Returns the end of an attempt that failed without its body or after it.
    func failed(with error: any Error) -> BodyEnd { BodyEnd(result: nil, hasSucceeded: false) }

    /// Asks a reactor about the stored result.
    func ask(_ reactor: any Reactor, _ context: ReactionContext) async -> Bool { false }

    /// Returns the minimum delay that a reacting reactor requests.
    func wait(for reactor: any WaitingReactor, _ context: ReactionContext) -> Duration? { nil }

    /// Calls `didCancel` of the task in its final form.
    func didCancel(_ leftovers: TaskLeftovers, because error: TaskManagerError) {}
}
