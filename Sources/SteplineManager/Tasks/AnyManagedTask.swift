/// A managed task created from a closure or another task.
///
///     let sum = AnyManagedTask("sum", timeout: .seconds(3)) { try await add(1, 2) }
public struct AnyManagedTask<Success: Sendable>: ManagedTask {
    /// The name in logs, events and errors.
    public let name: String

    /// The time limit of one attempt.
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

    /// Creates a task from a synchronous or async closure, which may throw.
    ///
    /// - Parameters:
    ///   - name: The name in logs, events and errors.
    ///   - timeout: The time limit of one attempt; nil for no limit.
    ///   - body: The closure, called once per attempt.
    public init(
        _ name: String = "closure", timeout: Duration? = nil,
        _ body: @escaping @Sendable () async throws -> Success
    ) {
        self.init(name: name, timeout: timeout, body: body, onCancel: { _ in })
    }

    /// Creates a task from a closure that returns a `Result`, whose failure becomes the task's error.
    ///
    /// - Parameters:
    ///   - name: The name in logs, events and errors.
    ///   - timeout: The time limit of one attempt; nil for no limit.
    ///   - body: The closure, called once per attempt.
    public init(
        _ name: String = "closure", timeout: Duration? = nil,
        _ body: @escaping @Sendable () async throws -> Result<Success, any Error>
    ) {
        self.init(name: name, timeout: timeout, body: { try await body().get() }, onCancel: { _ in })
    }

    /// Creates a task from callback code, which calls `done` once.
    ///
    /// - Parameters:
    ///   - name: The name in logs, events and errors.
    ///   - timeout: The time limit of one attempt; nil for no limit.
    ///   - body: The code, which receives the completion.
    public init(
        _ name: String = "closure", timeout: Duration? = nil,
        completing body: @escaping @Sendable (_ done: TaskCompletion<Success>) -> Void
    ) {
        self.init(name: name, timeout: timeout, body: { try await withCompletion(body) }, onCancel: { _ in })
    }

    /// Creates a task that forwards to another task.
    ///
    /// - Parameters:
    ///   - task: The other task.
    ///   - timeout: The time limit of one attempt; nil for the other task's limit.
    public init<Other: ManagedTask>(_ task: Other, timeout: Duration? = nil) where Other.Success == Success {
        self.init(
            name: task.name, timeout: timeout ?? task.timeout, body: task.execute,
            onCancel: { task.didCancel(because: $0) })
    }

    /// Returns a task that evaluates an expression in each attempt, and not before.
    public static func evaluating(
        _ expression: @escaping @autoclosure @Sendable () throws -> Success
    ) -> AnyManagedTask {
        AnyManagedTask("expression", { try expression() } as @Sendable () async throws -> Success)
    }

    /// Calls the closure.
    ///
    /// - Throws: The error of the closure.
    public func execute() async throws -> Success { try await body() }

    /// Calls `didCancel` of the wrapped task.
    public func didCancel(because error: TaskManagerError) { onCancel(error) }
}
