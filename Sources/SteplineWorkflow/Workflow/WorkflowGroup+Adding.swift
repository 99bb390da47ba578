import SteplineSupport

extension WorkflowGroup {
    /// Adds a task to the workflow and to this group.
    ///
    /// - Parameters:
    ///   - task: The task, which must not belong to a workflow.
    ///   - prerequisites: The prerequisites without keys.
    ///   - keyedPrerequisites: The prerequisites by key.
    ///   - allowed: The prerequisites whose failure doesn't prevent the task from running.
    /// - Returns: The task.
    /// - Throws: The errors of the workflow's `add`, and `.noWorkflow` if the workflow was freed.
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
        // After the addition: only a task of the workflow has a position.
        try include(task)
        return task
    }

    /// Adds a task that runs a closure with the results of other tasks to the workflow and to this group.
    ///
    /// - Throws: The errors of the workflow's `add`, and `.noWorkflow` if the workflow was freed.
    @discardableResult
    @_disfavoredOverload
    public func add<each P: TypedPrerequisite, Output: Sendable>(
        _ name: String, after prerequisites: repeat each P, options: TaskOptions = .init(),
        body: @escaping @Sendable (repeat (each P).Value) throws -> Output
    ) throws -> TaskRef<Output> {
        include(try workflow().add(name, after: repeat each prerequisites, options: options, body: body))
    }

    /// Adds a task that runs an `async` closure with the results of other tasks to the workflow and to this group.
    ///
    /// - Throws: The errors of the workflow's `add`, and `.noWorkflow` if the workflow was freed.
    @discardableResult
    @_disfavoredOverload
    public func add<each P: TypedPrerequisite, Output: Sendable>(
        _ name: String, after prerequisites: repeat each P, options: TaskOptions = .init(),
        body: @escaping @Sendable (repeat (each P).Value) async throws -> Output
    ) throws -> TaskRef<Output> {
        include(try workflow().add(name, after: repeat each prerequisites, options: options, body: body))
    }

    /// Adds a task that runs a closure without prerequisites to the workflow and to this group.
    ///
    /// - Throws: The errors of the workflow's `add`, and `.noWorkflow` if the workflow was freed.
    @discardableResult
    public func add<Output: Sendable>(
        _ name: String, options: TaskOptions = .init(), body: @escaping @Sendable () throws -> Output
    ) throws -> TaskRef<Output> {
        include(try workflow().add(name, options: options, body: body))
    }

    /// Adds a task that runs an `async` closure without prerequisites to the workflow and to this group.
    ///
    /// - Throws: The errors of the workflow's `add`, and `.noWorkflow` if the workflow was freed.
    @discardableResult
    public func add<Output: Sendable>(
        _ name: String, options: TaskOptions = .init(), body: @escaping @Sendable () async throws -> Output
    ) throws -> TaskRef<Output> {
        include(try workflow().add(name, options: options, body: body))
    }

    /// Moves a task of the workflow into this group, from its previous group.
    ///
    /// - Parameter task: The task.
    /// - Throws: `.foreignPrerequisite` for a task outside this workflow.
    public func include(_ task: WorkflowTask) throws {
        guard let place = task.place(in: core) else {
            throw WorkflowError(.foreignPrerequisite, task.name, "is not in the workflow of \(name)")
        }
        core.look { $0.groups.put(place, into: name) }
    }

    /// Moves a task of the workflow into this group; does nothing for a task of another workflow.
    @discardableResult
    public func include<Output>(_ task: TaskRef<Output>) -> TaskRef<Output> {
        // A position of another workflow would name an unrelated task here.
        if task.core === core { core.look { $0.groups.put(task.index, into: name) } }
        return task
    }

    /// Returns the group's workflow; throws `.noWorkflow` if it was freed.
    func workflow() throws -> Workflow {
        guard let workflow = core.look({ $0.workflow }) else {
            throw WorkflowError(.noWorkflow, name, "the group's workflow is gone")
        }
        return workflow
    }
}
