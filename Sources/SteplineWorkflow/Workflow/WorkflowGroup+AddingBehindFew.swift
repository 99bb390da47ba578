// Separate overloads for one and two prerequisites, like the workflow's own `add`.

extension WorkflowGroup {
    /// Adds a task that runs a closure with the result of another task to the workflow and to this group.
    ///
    /// - Throws: The errors of the workflow's `add`, and `.noWorkflow` if the workflow was freed.
    @discardableResult
    public func add<Before: TypedPrerequisite, Output: Sendable>(
        _ name: String, after prerequisite: Before, options: TaskOptions = .init(),
        body: @escaping @Sendable (Before.Value) throws -> Output
    ) throws -> TaskRef<Output> {
        include(try workflow().add(name, after: prerequisite, options: options, body: body))
    }

    /// Adds a task that runs an `async` closure with the result of another task to the workflow and to this group.
    ///
    /// - Throws: The errors of the workflow's `add`, and `.noWorkflow` if the workflow was freed.
    @discardableResult
    public func add<Before: TypedPrerequisite, Output: Sendable>(
        _ name: String, after prerequisite: Before, options: TaskOptions = .init(),
        body: @escaping @Sendable (Before.Value) async throws -> Output
    ) throws -> TaskRef<Output> {
        include(try workflow().add(name, after: prerequisite, options: options, body: body))
    }

    /// Adds a task that runs a closure with the results of two other tasks to the workflow and to this group.
    ///
    /// - Throws: The errors of the workflow's `add`, and `.noWorkflow` if the workflow was freed.
    @discardableResult
    public func add<First: TypedPrerequisite, Second: TypedPrerequisite, Output: Sendable>(
        _ name: String, after first: First, _ second: Second, options: TaskOptions = .init(),
        body: @escaping @Sendable (First.Value, Second.Value) throws -> Output
    ) throws -> TaskRef<Output> {
        include(try workflow().add(name, after: first, second, options: options, body: body))
    }

    /// Adds a task that runs an `async` closure with the results of two other tasks to the workflow and to this group.
    ///
    /// - Throws: The errors of the workflow's `add`, and `.noWorkflow` if the workflow was freed.
    @discardableResult
    public func add<First: TypedPrerequisite, Second: TypedPrerequisite, Output: Sendable>(
        _ name: String, after first: First, _ second: Second, options: TaskOptions = .init(),
        body: @escaping @Sendable (First.Value, Second.Value) async throws -> Output
    ) throws -> TaskRef<Output> {
        include(try workflow().add(name, after: first, second, options: options, body: body))
    }
}
