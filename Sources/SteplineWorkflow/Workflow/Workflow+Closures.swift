import SteplineSupport

extension Workflow {
    /// Adds a task that runs a closure, behind others whose results it gets in that order.
    ///
    ///     try workflow.add("report", after: page, links.allowingFailure) { page, links in … }
    ///
    /// A closure that waits for something should be `async`: it then holds no thread. Throws a ``WorkflowError``
    /// if a prerequisite isn't in this workflow, or an option is out of range; nothing has changed then.
    @discardableResult
    public func add<each P: TypedPrerequisite, Output: Sendable>(
        _ name: String, after prerequisites: repeat each P, options: TaskOptions = .init(),
        body: @escaping @Sendable (repeat (each P).Value) throws -> Output
    ) throws -> TaskRef<Output> {
        let work = SyncBody(Output.self) { try body(repeat (each prerequisites).readValue()) }
        var links: [TaskLink] = []
        repeat links.append((each prerequisites).link)
        return try add(name, work, links, options)
    }

    /// Adds a task that runs an `async` closure, behind others whose results it gets in that order.
    ///
    /// Stopping an attempt cancels the Swift task that the closure runs in.
    @discardableResult
    public func add<each P: TypedPrerequisite, Output: Sendable>(
        _ name: String, after prerequisites: repeat each P, options: TaskOptions = .init(),
        body: @escaping @Sendable (repeat (each P).Value) async throws -> Output
    ) throws -> TaskRef<Output> {
        let work = AsyncBody(Output.self) { try await body(repeat (each prerequisites).readValue()) }
        var links: [TaskLink] = []
        repeat links.append((each prerequisites).link)
        return try add(name, work, links, options)
    }

    /// Adds a task that runs a closure and waits for nothing.
    @discardableResult
    public func add<Output: Sendable>(
        _ name: String, options: TaskOptions = .init(), body: @escaping @Sendable () throws -> Output
    ) throws -> TaskRef<Output> {
        try add(name, SyncBody(Output.self, body), options) { _, _ in }
    }

    /// Adds a task that runs a closure behind any number of others, without their results.
    @discardableResult
    public func add<Output: Sendable, Before>(
        _ name: String, following prerequisites: [TaskRef<Before>], options: TaskOptions = .init(),
        body: @escaping @Sendable () throws -> Output
    ) throws -> TaskRef<Output> {
        try add(name, SyncBody(Output.self, body), following: prerequisites, options)
    }

    /// Adds a task that runs an `async` closure behind any number of others, without their results.
    @discardableResult
    public func add<Output: Sendable, Before>(
        _ name: String, following prerequisites: [TaskRef<Before>], options: TaskOptions = .init(),
        body: @escaping @Sendable () async throws -> Output
    ) throws -> TaskRef<Output> {
        try add(name, AsyncBody(Output.self, body), following: prerequisites, options)
    }

    /// Adds a task that runs a closure behind any number of others, whose results it gets in their order.
    @discardableResult
    public func add<Output: Sendable, Before>(
        _ name: String, afterAll prerequisites: [TaskRef<Before>], options: TaskOptions = .init(),
        body: @escaping @Sendable ([Before]) throws -> Output
    ) throws -> TaskRef<Output> {
        let work = SyncBody(Output.self) { try body(prerequisites.map { try $0.readValue() }) }
        return try add(name, work, following: prerequisites, options)
    }

    /// Adds a task that runs an `async` closure behind any number of others, whose results it gets in their order.
    @discardableResult
    public func add<Output: Sendable, Before>(
        _ name: String, afterAll prerequisites: [TaskRef<Before>], options: TaskOptions = .init(),
        body: @escaping @Sendable ([Before]) async throws -> Output
    ) throws -> TaskRef<Output> {
        let work = AsyncBody(Output.self) { try await body(prerequisites.map { try $0.readValue() }) }
        return try add(name, work, following: prerequisites, options)
    }

    /// Adds a task that runs nothing, but joins others.
    @discardableResult
    public func addJoin<Before>(_ name: String, of prerequisites: [TaskRef<Before>]) throws -> TaskRef<Void> {
        try add(name, nil, following: prerequisites, TaskOptions())
    }

    /// Adds a condition that somebody fulfils with a value of this type, with ``TaskRef/fulfill(with:)``.
    @discardableResult
    public func addCondition<Value: Sendable>(
        _ name: String, of type: Value.Type = Value.self,
        whenUnfulfilled: ExternalConditionTask.WhenUnfulfilled = .wait
    ) throws -> TaskRef<Value> {
        try TaskRef(add(ExternalConditionTask(name: name, whenUnfulfilled: whenUnfulfilled)))
    }
}

extension TaskRef {
    /// Fulfils the condition that this is; false if it is none, or was fulfilled.
    @discardableResult
    public func fulfill(with value: Output) -> Bool {
        (task as? ExternalConditionTask)?.fulfill(with: value) ?? false
    }
}

// MARK: - The way in

extension Workflow {
    private func add<Output: Sendable>(
        _ name: String, _ work: TaskBody, _ links: [TaskLink], _ options: TaskOptions
    ) throws -> TaskRef<Output> {
        var places: [Int32] = []
        var allowing: Set<Int32>?
        for link in links {
            try checkIsOwn(link.core, name)
            if !places.contains(link.index) { places.append(link.index) }
            if link.allowsFailure { allowing = (allowing ?? []).union([link.index]) }
        }
        return try add(name, work, options) { [places, allowing] machine, new in
            new.places = places
            new.allowing = allowing
        }
    }

    private func add<Output: Sendable, Before>(
        _ name: String, _ work: TaskBody?, following prerequisites: [TaskRef<Before>], _ options: TaskOptions
    ) throws -> TaskRef<Output> {
        for prerequisite in prerequisites { try checkIsOwn(prerequisite.core, name) }
        return try add(name, work, options) { _, new in
            for prerequisite in prerequisites { new.add(prerequisite.index) }
        }
    }

    private func add<Output: Sendable>(
        _ name: String, _ work: TaskBody?, _ options: TaskOptions,
        _ fill: (inout WorkflowState, inout Prerequisites) -> Void
    ) throws -> TaskRef<Output> {
        try check(options, name)
        let (number, hasDue, needsWorker) = core.machine.withLock { machine -> (Int32?, Bool, Bool) in
            if machine.options.requiresUniqueNames, machine.tables.taken[name] != nil { return (nil, false, false) }
            var new = NewTask(work: work.map(TaskNode.Work.body) ?? .nothing, name: name, options: options)
            if machine.tables.hasQueue { new.flags.insert(.onQueue) }
            var prerequisites = Prerequisites()
            fill(&machine, &prerequisites)
            let number = machine.add(
                new, prerequisites: prerequisites.places, allowing: prerequisites.allowing
            )
            return (number, !machine.due.isEmpty, machine.claimWorker())
        }
        guard let number else {
            throw WorkflowError(.duplicateName, name, "the name is taken in \(self.name)")
        }
        if needsWorker { core.startWorker() }
        if hasDue { core.carryOn() }
        return TaskRef(core: core, index: number)
    }

    private func checkIsOwn(_ other: WorkflowCore, _ name: String) throws {
        guard other !== core else { return }
        throw WorkflowError(.foreignPrerequisite, name, "a prerequisite is not in \(self.name)")
    }
}

/// What is collected for one task to be added.
struct Prerequisites {
    var places: [Int32] = []
    var allowing: Set<Int32>?

    /// Adds one unless it is there; few are looked through, many by a set would be no faster.
    @discardableResult
    mutating func add(_ index: Int32) -> Bool {
        guard !places.contains(index) else { return false }
        places.append(index)
        return true
    }
}

/// A closure that returns its result on the thread it is called on.
final class SyncBody<Output: Sendable>: TaskBody, @unchecked Sendable {  // immutable
    private let body: @Sendable () throws -> Output

    init(_ type: Output.Type, _ body: @escaping @Sendable () throws -> Output) { self.body = body }

    override var resultType: any Sendable.Type { Output.self }

    override func run(in core: WorkflowCore) throws -> any Sendable { try body() }
}

/// A closure that returns its result after some waiting.
final class AsyncBody<Output: Sendable>: TaskBody, @unchecked Sendable {  // immutable
    private let body: @Sendable () async throws -> Output

    init(_ type: Output.Type, _ body: @escaping @Sendable () async throws -> Output) { self.body = body }

    override var isAsync: Bool { true }

    override var resultType: any Sendable.Type { Output.self }

    override func runAsync(in core: WorkflowCore) async throws -> any Sendable { try await body() }
}
