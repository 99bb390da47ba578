/// A managed task made of a closure, or of another task.
///
///     let sum = AnyManagedTask("sum", timeout: .seconds(3)) { try await add(1, 2) }
public struct AnyManagedTask<Success: Sendable>: ManagedTask {
    /// What logs, events and errors call it.
    public let name: String

    /// How long one attempt may take.
    public let timeout: Duration?

    private let body: @Sendable () async throws -> Success
    private let onCancel: @Sendable (TaskManagerError) -> Void

    private init(
        name: String, timeout: Duration?, body: @escaping @Sendable () async throws -> Success,
        onCancel: @escaping @Sendable (TaskManagerError) -> Void
    ) {
        self.name = name
        self.timeout = timeout
        self.body = body
        self.onCancel = onCancel
    }

    /// Makes a task of a plain, throwing or async closure.
    public init(
        _ name: String = "closure", timeout: Duration? = nil,
        _ body: @escaping @Sendable () async throws -> Success
    ) {
        self.init(name: name, timeout: timeout, body: body, onCancel: { _ in })
    }

    /// Makes a task of a closure that returns a `Result`: its failure is the task's.
    public init(
        _ name: String = "closure", timeout: Duration? = nil,
        _ body: @escaping @Sendable () async throws -> Result<Success, any Error>
    ) {
        self.init(name: name, timeout: timeout, body: { try await body().get() }, onCancel: { _ in })
    }

    /// Makes a task of callback code, which calls `done` once.
    public init(
        _ name: String = "closure", timeout: Duration? = nil,
        completing body: @escaping @Sendable (_ done: TaskCompletion<Success>) -> Void
    ) {
        self.init(name: name, timeout: timeout, body: { try await withCompletion(body) }, onCancel: { _ in })
    }

    /// Wraps another task: its name, its `didCancel` and, unless given anew, its time-out are forwarded.
    public init<Other: ManagedTask>(_ task: Other, timeout: Duration? = nil) where Other.Success == Success {
        self.init(
            name: task.name, timeout: timeout ?? task.timeout, body: task.execute,
            onCancel: { task.didCancel(because: $0) })
    }

    /// A task that evaluates the expression in every attempt, never before.
    public static func evaluating(
        _ expression: @escaping @autoclosure @Sendable () throws -> Success
    ) -> AnyManagedTask {
        AnyManagedTask("expression", { try expression() } as @Sendable () async throws -> Success)
    }

    /// Runs the closure.
    public func execute() async throws -> Success { try await body() }

    /// Forwards to the wrapped task.
    public func didCancel(because error: TaskManagerError) { onCancel(error) }
}
