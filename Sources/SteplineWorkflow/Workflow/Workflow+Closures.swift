import SteplineSupport

extension Workflow {
    /// Adds a task that runs a closure, behind others whose results it gets in that order.
    ///
    ///     try workflow.add("report", after: page, links.allowingFailure) { page, links in … }
    ///
    /// A closure that waits for something should be `async`: it then holds no thread. Throws a ``WorkflowError``
    /// if a prerequisite isn't in this workflow, or an option is out of range; nothing has changed then.
    @discardableResult
    @_disfavoredOverload
    public func add<each P: TypedPrerequisite, Output: Sendable>(
        _ name: String, after prerequisites: repeat each P, options: TaskOptions = .init(),
        body: @escaping @Sendable (repeat (each P).Value) throws -> Output
    ) throws -> TaskRef<Output> {
        let work = TaskWork(Output.self) { try body(repeat (each prerequisites).readValue()) }
        var links: [TaskLink] = []
        repeat links.append((each prerequisites).link)
        return try TaskRef(home, insert(name, work, links, options))
    }

    /// Adds a task that runs an `async` closure, behind others whose results it gets in that order.
    ///
    /// Stopping an attempt cancels the Swift task that the closure runs in.
    @discardableResult
    @_disfavoredOverload
    public func add<each P: TypedPrerequisite, Output: Sendable>(
        _ name: String, after prerequisites: repeat each P, options: TaskOptions = .init(),
        body: @escaping @Sendable (repeat (each P).Value) async throws -> Output
    ) throws -> TaskRef<Output> {
        let work = TaskWork(Output.self, async: { try await body(repeat (each prerequisites).readValue()) })
        var links: [TaskLink] = []
        repeat links.append((each prerequisites).link)
        return try TaskRef(home, insert(name, work, links, options))
    }

    /// Adds a task that runs a closure and waits for nothing.
    @discardableResult
    @inlinable
    public func add<Output: Sendable>(
        _ name: String, options: TaskOptions = .init(), body: @escaping @Sendable () throws -> Output
    ) throws -> TaskRef<Output> {
        try TaskRef(home, insert(name, TaskWork(Output.self) { try body() }, options))
    }

    /// Adds a task that runs an `async` closure and waits for nothing.
    @discardableResult
    public func add<Output: Sendable>(
        _ name: String, options: TaskOptions = .init(), body: @escaping @Sendable () async throws -> Output
    ) throws -> TaskRef<Output> {
        try TaskRef(home, insert(name, TaskWork(Output.self, async: { try await body() }), options))
    }

    /// Adds a task that runs a closure behind any number of others, without their results.
    @discardableResult
    @inlinable
    public func add<Output: Sendable, Before>(
        _ name: String, following prerequisites: some Collection<TaskRef<Before>>,
        options: TaskOptions = .init(), body: @escaping @Sendable () throws -> Output
    ) throws -> TaskRef<Output> {
        try add(name, TaskWork(Output.self) { try body() }, following: prerequisites, options)
    }

    /// Adds a task that runs an `async` closure behind any number of others, without their results.
    @discardableResult
    public func add<Output: Sendable, Before>(
        _ name: String, following prerequisites: some Collection<TaskRef<Before>>,
        options: TaskOptions = .init(), body: @escaping @Sendable () async throws -> Output
    ) throws -> TaskRef<Output> {
        try add(name, TaskWork(Output.self, async: { try await body() }), following: prerequisites, options)
    }

    /// Adds a task that runs a closure behind any number of others, whose results it gets in their order.
    @discardableResult
    public func add<Output: Sendable, Before>(
        _ name: String, afterAll prerequisites: [TaskRef<Before>], options: TaskOptions = .init(),
        body: @escaping @Sendable ([Before]) throws -> Output
    ) throws -> TaskRef<Output> {
        let work = TaskWork(Output.self) { try body(prerequisites.map { try $0.readValue() }) }
        return try add(name, work, following: prerequisites, options)
    }

    /// Adds a task that runs an `async` closure behind any number of others, whose results it gets in their order.
    @discardableResult
    public func add<Output: Sendable, Before>(
        _ name: String, afterAll prerequisites: [TaskRef<Before>], options: TaskOptions = .init(),
        body: @escaping @Sendable ([Before]) async throws -> Output
    ) throws -> TaskRef<Output> {
        let work = TaskWork(Output.self, async: { try await body(prerequisites.map { try $0.readValue() }) })
        return try add(name, work, following: prerequisites, options)
    }

    /// Adds a task that runs nothing, but joins others.
    @discardableResult
    public func addJoin<Before>(_ name: String, of prerequisites: some Collection<TaskRef<Before>>) throws
        -> TaskRef<Void>
    {
        try add(name, .nothing, following: prerequisites, TaskOptions())
    }

    /// Adds a condition that somebody fulfils with a value of this type, with ``TaskRef/fulfill(with:)``.
    ///
    ///     let consent = try workflow.addCondition("consent", of: Bool.self, after: draft)
    ///
    /// Behind others it finishes once they have and it is fulfilled, whichever comes first.
    @discardableResult
    public func addCondition<each P: TypedPrerequisite, Value: Sendable>(
        _ name: String, of type: Value.Type = Value.self, after prerequisites: repeat each P,
        whenUnfulfilled: ExternalConditionTask.WhenUnfulfilled = .wait
    ) throws -> TaskRef<Value> {
        var links: [TaskLink] = []
        repeat links.append((each prerequisites).link)
        let condition = ExternalConditionTask(name: name, of: type, whenUnfulfilled: whenUnfulfilled)
        return try TaskRef(
            add(
                condition, prerequisites: links.map(\.task),
                allowingFailureOf: links.filter(\.allowsFailure).map(\.task)))
    }
}

extension TaskRef {
    /// Fulfils the condition that this is; false if it is none, or was fulfilled.
    @discardableResult
    public func fulfill(with value: Output) -> Bool {
        (task as? ExternalConditionTask)?.fulfill(with: value) ?? false
    }
}
