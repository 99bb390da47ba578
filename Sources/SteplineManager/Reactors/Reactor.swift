/// Looks at results, and reacts to those it chooses: by a run of its own, shared by all tasks that trigger it.
public protocol Reactor: Sendable {
    /// What errors, events and `explain()` call it; by default its type's name.
    var name: String { get }

    /// What its yes brings with it; read at each yes.
    var configuration: ReactorConfiguration { get }

    /// Says whether this result of an attempt calls for a run; no two calls of one manager overlap.
    func shouldExecute<T: ManagedTask>(
        after result: Result<T.Success, any Error>, of task: T, context: ReactionContext
    ) async -> Bool

    /// Reacts; runs once however many tasks triggered it, until it returns or throws.
    func execute(_ run: ReactorRun) async throws
}

extension Reactor {
    /// The name of the type.
    public var name: String { String(describing: Self.self) }

    /// One that neither requeues nor suspends.
    public var configuration: ReactorConfiguration { ReactorConfiguration() }

    /// No.
    public func shouldExecute<T: ManagedTask>(
        after result: Result<T.Success, any Error>, of task: T, context: ReactionContext
    ) async -> Bool { false }

    /// Does nothing.
    public func execute(_ run: ReactorRun) async throws {}
}

/// What a reactor is told beside the result.
public struct ReactionContext: Sendable {
    /// The handle of the task.
    public let handle: AnyTaskHandle
    /// The attempt that made the result, counted from 1.
    public let attempt: Int
    /// How often this reactor has requeued the task.
    public let requeues: Int
}
