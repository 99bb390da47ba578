import SteplineSupport

// Most tasks have one or two prerequisites. Separate overloads let the compiler report a wrong number of closure
// parameters, which it can't for a parameter pack.

extension Workflow {
    /// Adds a task that runs a closure with the result of another task.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - prerequisite: The prerequisite.
    ///   - options: The options of the task.
    ///   - body: The closure.
    /// - Returns: A reference to the task.
    /// - Throws: A ``WorkflowError`` if a prerequisite isn't in this workflow or an option is invalid.
    @discardableResult
    @inlinable
    public func add<Before: TypedPrerequisite, Output: Sendable>(
        _ name: String, after prerequisite: Before, options: TaskOptions = .init(),
        body: @escaping @Sendable (Before.Value) throws -> Output
    ) throws -> TaskRef<Output> {
        let work = TaskWork(Output.self) { try body(prerequisite.readValue()) }
        return try TaskRef(home, insert(name, work, [prerequisite.link], options))
    }

    /// Adds a task that runs an `async` closure with the result of another task.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - prerequisite: The prerequisite.
    ///   - options: The options of the task.
    ///   - body: The closure.
    /// - Returns: A reference to the task.
    /// - Throws: A ``WorkflowError`` if a prerequisite isn't in this workflow or an option is invalid.
    @discardableResult
    public func add<Before: TypedPrerequisite, Output: Sendable>(
        _ name: String, after prerequisite: Before, options: TaskOptions = .init(),
        body: @escaping @Sendable (Before.Value) async throws -> Output
    ) throws -> TaskRef<Output> {
        let work = TaskWork(Output.self, async: { try await body(prerequisite.readValue()) })
        return try TaskRef(home, insert(name, work, [prerequisite.link], options))
    }

    /// Adds a task that runs a closure with the results of two other tasks, in that order.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - first: The first prerequisite.
    ///   - second: The second prerequisite.
    ///   - options: The options of the task.
    ///   - body: The closure.
    /// - Returns: A reference to the task.
    /// - Throws: A ``WorkflowError`` if a prerequisite isn't in this workflow or an option is invalid.
    @discardableResult
    @inlinable
    public func add<First: TypedPrerequisite, Second: TypedPrerequisite, Output: Sendable>(
        _ name: String, after first: First, _ second: Second, options: TaskOptions = .init(),
        body: @escaping @Sendable (First.Value, Second.Value) throws -> Output
    ) throws -> TaskRef<Output> {
        let work = TaskWork(Output.self) { try body(first.readValue(), second.readValue()) }
        return try TaskRef(home, insert(name, work, [first.link, second.link], options))
    }

    /// Adds a task that runs an `async` closure with the results of two other tasks, in that order.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - first: The first prerequisite.
    ///   - second: The second prerequisite.
    ///   - options: The options of the task.
    ///   - body: The closure.
    /// - Returns: A reference to the task.
    /// - Throws: A ``WorkflowError`` if a prerequisite isn't in this workflow or an option is invalid.
    @discardableResult
    public func add<First: TypedPrerequisite, Second: TypedPrerequisite, Output: Sendable>(
        _ name: String, after first: First, _ second: Second, options: TaskOptions = .init(),
        body: @escaping @Sendable (First.Value, Second.Value) async throws -> Output
    ) throws -> TaskRef<Output> {
        let work = TaskWork(Output.self, async: { try await body(first.readValue(), second.readValue()) })
        return try TaskRef(home, insert(name, work, [first.link, second.link], options))
    }
}
