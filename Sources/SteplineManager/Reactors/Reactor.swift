/// Handles selected results with a run of its own, which all triggering tasks share.
public protocol Reactor: Sendable {
    /// The name in errors, events and `explain()`; by default the type's name.
    var name: String { get }

    /// The consequences of a positive answer; read at each positive answer.
    var configuration: ReactorConfiguration { get }

    /// Returns whether a result triggers a run.
    ///
    /// Calls of one manager don't overlap, except with a call that exceeded ``TaskManager/Options/answerTimeout``,
    /// which counts as "no". After a run has succeeded, a task whose attempt began before that end is requeued without
    /// another run.
    ///
    /// - Parameters:
    ///   - result: The result of an attempt.
    ///   - task: The task as it ran.
    ///   - context: The state of the task.
    /// - Returns: Whether to react.
    func shouldExecute<T: ManagedTask>(
        after result: Result<T.Success, any Error>, of task: T, context: ReactionContext
    ) async -> Bool

    /// Performs a run, once for all tasks that triggered it.
    ///
    /// - Parameter run: The run.
    /// - Throws: An error that fails the requeued tasks of the run.
    func execute(_ run: ReactorRun) async throws
}

extension Reactor {
    /// The name of the type.
    public var name: String { String(describing: Self.self) }

    /// A configuration without requeue and suspension.
    public var configuration: ReactorConfiguration { ReactorConfiguration() }

    /// Returns false.
    public func shouldExecute<T: ManagedTask>(
        after result: Result<T.Success, any Error>, of task: T, context: ReactionContext
    ) async -> Bool { false }

    /// Does nothing.
    public func execute(_ run: ReactorRun) async throws {}
}

/// The information for a reactor's decision.
public struct ReactionContext: Sendable {
    /// The handle of the task.
    public let handle: AnyTaskHandle
    /// The attempt with the result, from 1.
    public let attempt: Int
    /// The number of requeues of the task by this reactor.
    public let requeues: Int
}
