/// A value that knows how to make one result: what a ``TaskManager`` runs.
///
/// Making one runs nothing. It may be added any number of times, also at once.
public protocol ManagedTask<Success>: Sendable {
    /// What it makes.
    associatedtype Success: Sendable

    /// Makes the result; called anew for each attempt.
    func execute() async throws -> Success

    /// What logs, events and errors call it; by default its type's name.
    var name: String { get }

    /// How long one attempt may take; by default without end.
    var timeout: Duration? { get }

    /// Tells that a handle of this task ended by the manager: by cancel, time-out, a failed run or shutdown.
    ///
    /// Called once for each handle, before its completion. Nothing by default.
    func didCancel(because error: TaskManagerError)
}

extension ManagedTask {
    /// The name of the type.
    public var name: String { TypeNames.name(of: Self.self) }

    /// None.
    public var timeout: Duration? { nil }

    /// Does nothing.
    public func didCancel(because error: TaskManagerError) {}
}
