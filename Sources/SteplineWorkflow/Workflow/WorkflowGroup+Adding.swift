import SteplineSupport

extension WorkflowGroup {
    /// Adds a task to the workflow and to this group.
    ///
    /// As the workflow's own `add`, and throws what that throws; `.noWorkflow` if the workflow is gone.
    @discardableResult
    public func add<T: WorkflowTask>(
        _ task: T, prerequisites: [WorkflowTask] = [],
        keyedPrerequisites: [PrerequisiteKey: WorkflowTask] = [:],
        allowingFailureOf allowed: [WorkflowTask] = []
    ) throws -> T {
        try workflow().add(
            task, prerequisites: prerequisites, keyedPrerequisites: keyedPrerequisites,
            allowingFailureOf: allowed
        )
        try include(task)
        return task
    }

    /// Adds a task that runs a closure, behind others whose results it gets, to the workflow and to this group.
    @discardableResult
    @_disfavoredOverload
    public func add<each P: TypedPrerequisite, Output: Sendable>(
        _ name: String, after prerequisites: repeat each P, options: TaskOptions = .init(),
        body: @escaping @Sendable (repeat (each P).Value) throws -> Output
    ) throws -> TaskRef<Output> {
        include(try workflow().add(name, after: repeat each prerequisites, options: options, body: body))
    }

    /// Adds a task that runs an `async` closure, behind others whose results it gets, to the workflow and to this
    /// group.
    @discardableResult
    @_disfavoredOverload
    public func add<each P: TypedPrerequisite, Output: Sendable>(
        _ name: String, after prerequisites: repeat each P, options: TaskOptions = .init(),
        body: @escaping @Sendable (repeat (each P).Value) async throws -> Output
    ) throws -> TaskRef<Output> {
        include(try workflow().add(name, after: repeat each prerequisites, options: options, body: body))
    }

    /// Adds a task that runs a closure and waits for nothing to the workflow and to this group.
    @discardableResult
    public func add<Output: Sendable>(
        _ name: String, options: TaskOptions = .init(), body: @escaping @Sendable () throws -> Output
    ) throws -> TaskRef<Output> {
        include(try workflow().add(name, options: options, body: body))
    }

    /// Adds a task that runs an `async` closure and waits for nothing to the workflow and to this group.
    @discardableResult
    public func add<Output: Sendable>(
        _ name: String, options: TaskOptions = .init(), body: @escaping @Sendable () async throws -> Output
    ) throws -> TaskRef<Output> {
        include(try workflow().add(name, options: options, body: body))
    }

    /// Takes in a task that is in the workflow, however it was added, from the group that it was in.
    ///
    /// Throws `.foreignPrerequisite` for one that isn't in this workflow.
    public func include(_ task: WorkflowTask) throws {
        guard let place = task.place(in: core) else {
            throw WorkflowError(.foreignPrerequisite, task.name, "is not in the workflow of \(name)")
        }
        core.look { $0.groups.put(place, into: name) }
    }

    /// Takes in a task that is in the workflow, however it was added; one of another workflow is left alone.
    @discardableResult
    public func include<Output>(_ task: TaskRef<Output>) -> TaskRef<Output> {
        if task.core === core { core.look { $0.groups.put(task.index, into: name) } }
        return task
    }

    /// The group's workflow; throws `.noWorkflow` if it is gone.
    func workflow() throws -> Workflow {
        guard let workflow = core.look({ $0.workflow }) else {
            throw WorkflowError(.noWorkflow, name, "the group's workflow is gone")
        }
        return workflow
    }
}
