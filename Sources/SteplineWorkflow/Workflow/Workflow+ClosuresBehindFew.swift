import SteplineSupport

// One and two prerequisites are what most tasks have. They are spelled out, as the compiler then says how many parameters
// the closure has and should have, which it can't of any number of them.

extension Workflow {
    /// Adds a task that runs a closure behind another, whose result it gets.
    ///
    /// As behind any number of others.
    @discardableResult
    public func add<Before: TypedPrerequisite, Output: Sendable>(
        _ name: String, after prerequisite: Before, options: TaskOptions = .init(),
        body: @escaping @Sendable (Before.Value) throws -> Output
    ) throws -> TaskRef<Output> {
        let work = TaskWork(Output.self) { try body(prerequisite.readValue()) }
        return try TaskRef(home, insert(name, work, [prerequisite.link], options))
    }

    /// Adds a task that runs an `async` closure behind another, whose result it gets.
    ///
    /// As behind any number of others.
    @discardableResult
    public func add<Before: TypedPrerequisite, Output: Sendable>(
        _ name: String, after prerequisite: Before, options: TaskOptions = .init(),
        body: @escaping @Sendable (Before.Value) async throws -> Output
    ) throws -> TaskRef<Output> {
        let work = TaskWork(Output.self, async: { try await body(prerequisite.readValue()) })
        return try TaskRef(home, insert(name, work, [prerequisite.link], options))
    }

    /// Adds a task that runs a closure behind two others, whose results it gets in that order.
    ///
    /// As behind any number of others.
    @discardableResult
    public func add<First: TypedPrerequisite, Second: TypedPrerequisite, Output: Sendable>(
        _ name: String, after first: First, _ second: Second, options: TaskOptions = .init(),
        body: @escaping @Sendable (First.Value, Second.Value) throws -> Output
    ) throws -> TaskRef<Output> {
        let work = TaskWork(Output.self) { try body(first.readValue(), second.readValue()) }
        return try TaskRef(home, insert(name, work, [first.link, second.link], options))
    }

    /// Adds a task that runs an `async` closure behind two others, whose results it gets in that order.
    ///
    /// As behind any number of others.
    @discardableResult
    public func add<First: TypedPrerequisite, Second: TypedPrerequisite, Output: Sendable>(
        _ name: String, after first: First, _ second: Second, options: TaskOptions = .init(),
        body: @escaping @Sendable (First.Value, Second.Value) async throws -> Output
    ) throws -> TaskRef<Output> {
        let work = TaskWork(Output.self, async: { try await body(first.readValue(), second.readValue()) })
        return try TaskRef(home, insert(name, work, [first.link, second.link], options))
    }
}
