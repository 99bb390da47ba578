/// A value that produces one result: the unit of work of a ``TaskManager``.
///
/// Creating a task runs nothing. A task can be added several times, also concurrently.
public protocol ManagedTask<Success>: Sendable {
    /// The type of the result.
    associatedtype Success: Sendable

    /// Returns the result; called once per attempt.
    ///
    /// - Throws: An error that fails the attempt; retry and reactors decide whether another one follows.
    func execute() async throws -> Success

    /// The name in logs, events and errors; by default the type's name.
    var name: String { get }

    /// The time limit of one attempt; by default nil, for no limit.
    var timeout: Duration? { get }

    /// Called when the manager ended a handle of this task: by a cancellation, time limit, failed run or shutdown.
    ///
    /// Called once per handle, before its callbacks. Not called if an interceptor discarded or failed the task, held it
    /// beyond its limits, or gave no answer in time. The default does nothing.
    ///
    /// - Parameter error: The manager's error.
    func didCancel(because error: TaskManagerError)
}

extension ManagedTask {
    /// The name of the type.
    public var name: String { TypeNames.name(of: Self.self) }

    /// No time limit.
    public var timeout: Duration? { nil }

    /// Does nothing.
    public func didCancel(because error: TaskManagerError) {}
}
