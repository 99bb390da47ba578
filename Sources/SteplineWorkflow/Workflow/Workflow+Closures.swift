import SteplineSupport

extension Workflow {
    /// Adds a task that runs a closure with the results of other tasks, in that order.
    ///
    ///     try workflow.add("report", after: page, links.allowingFailure) { page, links in … }
    ///
    /// A closure that waits should be `async`, so it occupies no thread.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - prerequisites: The prerequisites.
    ///   - options: The options of the task.
    ///   - body: The closure.
    /// - Returns: A reference to the task.
    /// - Throws: A ``WorkflowError`` if a prerequisite isn't in this workflow or an option is invalid; the workflow is
    ///   then unchanged.
    @discardableResult
    @inlinable
    @_disfavoredOverload
    public func add<each P: TypedPrerequisite, Output: Sendable>(
        _ name: String, after prerequisites: repeat each P, options: TaskOptions = .init(),
        body: @escaping @Sendable (repeat (each P).Value) throws -> Output
    ) throws -> TaskRef<Output> {
        // The closure reads the results itself, at each attempt.
        let work = TaskWork(Output.self) { try body(repeat (each prerequisites).readValue()) }
        var links: [TaskLink] = []
        repeat links.append((each prerequisites).link)
        return try TaskRef(home, insert(name, work, links, options))
    }

    /// Adds a task that runs an `async` closure with the results of other tasks, in that order.
    ///
    /// Stopping an attempt cancels the Swift task of the closure.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - prerequisites: The prerequisites.
    ///   - options: The options of the task.
    ///   - body: The closure.
    /// - Returns: A reference to the task.
    /// - Throws: A ``WorkflowError`` if a prerequisite isn't in this workflow or an option is invalid.
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

    /// Adds a task that runs a closure without prerequisites.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - options: The options of the task.
    ///   - body: The closure.
    /// - Returns: A reference to the task.
    /// - Throws: A ``WorkflowError`` if a prerequisite isn't in this workflow or an option is invalid.
    @discardableResult
    @inlinable
    public func add<Output: Sendable>(
        _ name: String, options: TaskOptions = .init(), body: @escaping @Sendable () throws -> Output
    ) throws -> TaskRef<Output> {
        try TaskRef(home, insert(name, TaskWork(Output.self) { try body() }, options))
    }

    /// Adds a task that runs an `async` closure without prerequisites.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - options: The options of the task.
    ///   - body: The closure.
    /// - Returns: A reference to the task.
    /// - Throws: A ``WorkflowError`` if a prerequisite isn't in this workflow or an option is invalid.
    @discardableResult
    public func add<Output: Sendable>(
        _ name: String, options: TaskOptions = .init(), body: @escaping @Sendable () async throws -> Output
    ) throws -> TaskRef<Output> {
        try TaskRef(home, insert(name, TaskWork(Output.self, async: { try await body() }), options))
    }

    /// Adds a task that runs a closure after any number of other tasks, without their results.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - prerequisites: The prerequisites.
    ///   - options: The options of the task.
    ///   - body: The closure.
    /// - Returns: A reference to the task.
    /// - Throws: A ``WorkflowError`` if a prerequisite isn't in this workflow or an option is invalid.
    @discardableResult
    @inlinable
    public func add<Output: Sendable, Before>(
        _ name: String, following prerequisites: some Collection<TaskRef<Before>>,
        options: TaskOptions = .init(), body: @escaping @Sendable () throws -> Output
    ) throws -> TaskRef<Output> {
        try add(name, TaskWork(Output.self) { try body() }, following: prerequisites, options)
    }

    /// Adds a task that runs an `async` closure after any number of other tasks, without their results.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - prerequisites: The prerequisites.
    ///   - options: The options of the task.
    ///   - body: The closure.
    /// - Returns: A reference to the task.
    /// - Throws: A ``WorkflowError`` if a prerequisite isn't in this workflow or an option is invalid.
    @discardableResult
    public func add<Output: Sendable, Before>(
        _ name: String, following prerequisites: some Collection<TaskRef<Before>>,
        options: TaskOptions = .init(), body: @escaping @Sendable () async throws -> Output
    ) throws -> TaskRef<Output> {
        try add(name, TaskWork(Output.self, async: { try await body() }), following: prerequisites, options)
    }

    /// Adds a task that runs a closure with the results of any number of other tasks, in their order.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - prerequisites: The prerequisites.
    ///   - options: The options of the task.
    ///   - body: The closure.
    /// - Returns: A reference to the task.
    /// - Throws: A ``WorkflowError`` if a prerequisite isn't in this workflow or an option is invalid.
    @discardableResult
    public func add<Output: Sendable, Before>(
        _ name: String, afterAll prerequisites: [TaskRef<Before>], options: TaskOptions = .init(),
        body: @escaping @Sendable ([Before]) throws -> Output
    ) throws -> TaskRef<Output> {
        // Read at each attempt: a prerequisite may run again and have another result.
        let work = TaskWork(Output.self) { try body(prerequisites.map { try $0.readValue() }) }
        return try add(name, work, following: prerequisites, options)
    }

    /// Adds a task that runs an `async` closure with the results of any number of other tasks, in their order.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - prerequisites: The prerequisites.
    ///   - options: The options of the task.
    ///   - body: The closure.
    /// - Returns: A reference to the task.
    /// - Throws: A ``WorkflowError`` if a prerequisite isn't in this workflow or an option is invalid.
    @discardableResult
    public func add<Output: Sendable, Before>(
        _ name: String, afterAll prerequisites: [TaskRef<Before>], options: TaskOptions = .init(),
        body: @escaping @Sendable ([Before]) async throws -> Output
    ) throws -> TaskRef<Output> {
        let work = TaskWork(Output.self, async: { try await body(prerequisites.map { try $0.readValue() }) })
        return try add(name, work, following: prerequisites, options)
    }

    /// Adds a task without a body, which joins other tasks.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - prerequisites: The prerequisites.
    /// - Returns: A reference to the task.
    /// - Throws: A ``WorkflowError`` if a prerequisite isn't in this workflow or an option is invalid.
    @discardableResult
    public func addJoin<Before>(_ name: String, of prerequisites: some Collection<TaskRef<Before>>) throws
        -> TaskRef<Void>
    {
        try add(name, .nothing, following: prerequisites, TaskOptions())
    }

    /// Adds a condition, which ``TaskRef/fulfill(with:)`` fulfils with a value.
    ///
    ///     let consent = try workflow.addCondition("consent", of: Bool.self, after: draft)
    ///
    /// A condition with prerequisites finishes once they have finished and it is fulfilled, in either order.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - type: The type of the value.
    ///   - prerequisites: The prerequisites.
    ///   - whenUnfulfilled: The behavior if the condition runs before it is fulfilled.
    /// - Returns: A reference to the condition.
    /// - Throws: A ``WorkflowError`` if a prerequisite isn't in this workflow or an option is invalid.
    @discardableResult
    public func addCondition<each P: TypedPrerequisite, Value: Sendable>(
        _ name: String, of type: Value.Type = Value.self, after prerequisites: repeat each P,
        whenUnfulfilled: ExternalConditionTask.WhenUnfulfilled = .wait
    ) throws -> TaskRef<Value> {
        try add(
            ExternalConditionTask(name: name, of: type, whenUnfulfilled: whenUnfulfilled),
            after: repeat each prerequisites)
    }

    /// Adds a task that finishes when a duration has passed since its prerequisites have finished.
    ///
    ///     let pause = try workflow.addDelay("pause", .seconds(6 * 3600), after: order)
    ///     try workflow.add("remind", after: order, pause) { order, _ in … }
    ///
    /// A delay occupies no thread and no place of a limit. In a durable run its time also passes while no process has
    /// the run. Like a condition it can be fulfilled before its time, by ``TaskRef/fulfill(with:)`` or a signal.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - duration: The delay; zero or longer.
    ///   - prerequisites: The prerequisites.
    /// - Returns: A reference to the task.
    /// - Throws: A ``WorkflowError`` if a prerequisite isn't in this workflow or the duration is negative.
    @discardableResult
    public func addDelay<each P: TypedPrerequisite>(
        _ name: String, _ duration: Duration, after prerequisites: repeat each P
    ) throws -> TaskRef<Void> {
        try add(ExternalConditionTask(name: name, delay: duration), after: repeat each prerequisites)
    }

    /// Adds a task object, whose result has the type that the caller knows.
    func add<each P: TypedPrerequisite, Value: Sendable>(
        _ task: WorkflowTask, after prerequisites: repeat each P
    ) throws -> TaskRef<Value> {
        var links: [TaskLink] = []
        repeat links.append((each prerequisites).link)
        return try TaskRef(
            add(
                task, prerequisites: links.map(\.task),
                allowingFailureOf: links.filter(\.allowsFailure).map(\.task)))
    }
}

extension TaskRef {
    /// Fulfils the condition; returns false if the task isn't a condition, or was fulfilled before.
    @discardableResult
    public func fulfill(with value: Output) -> Bool {
        // A reference can name any task, so the type is checked here.
        (task as? ExternalConditionTask)?.fulfill(with: value) ?? false
    }
}
