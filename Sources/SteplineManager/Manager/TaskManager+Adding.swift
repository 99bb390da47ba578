public import Dispatch
import SteplineSupport

extension TaskManager {
    /// Adds a task and returns at once; nothing of it runs on the caller's stack.
    ///
    /// The completion is called exactly once, on `queue` or where the task ends. The handle may be dropped.
    @discardableResult
    public func add<Managed: ManagedTask>(
        _ task: Managed, options: AddOptions = AddOptions(), on queue: DispatchQueue? = nil,
        completion: (@Sendable (Result<Managed.Success, any Error>) -> Void)? = nil
    ) -> TaskHandle<Managed.Success> {
        TaskHandle(
            core.add(task, options: options, completion: completion.map { (CallbackContext(queue), $0) }))
    }

    /// Adds a closure as a task.
    @discardableResult
    public func add<Success: Sendable>(
        _ name: String = "closure", options: AddOptions = AddOptions(), on queue: DispatchQueue? = nil,
        _ body: @escaping @Sendable () async throws -> Success,
        completion: (@Sendable (Result<Success, any Error>) -> Void)? = nil
    ) -> TaskHandle<Success> {
        add(AnyManagedTask(name, body), options: options, on: queue, completion: completion)
    }

    /// Adds a task, waits for its end, and returns its value.
    ///
    /// Throws a body's error unchanged, and the manager's as ``TaskManagerError``. Cancelling the Swift task that
    /// waits cancels the managed task; then it throws `CancellationError`.
    public func run<Managed: ManagedTask>(
        _ task: Managed, options: AddOptions = AddOptions()
    ) async throws -> Managed.Success {
        try await add(task, options: options).valueOfRun
    }

    /// Runs a closure as a task, and returns its value.
    public func run<Success: Sendable>(
        _ name: String = "closure", options: AddOptions = AddOptions(),
        _ body: @escaping @Sendable () async throws -> Success
    ) async throws -> Success {
        try await run(AnyManagedTask(name, body), options: options)
    }
}

extension ManagedTask {
    /// Adds it to a manager.
    @discardableResult
    public func add(
        to manager: TaskManager = .shared, options: TaskManager.AddOptions = .init(),
        on queue: DispatchQueue? = nil,
        completion: (@Sendable (Result<Success, any Error>) -> Void)? = nil
    ) -> TaskHandle<Success> {
        manager.add(self, options: options, on: queue, completion: completion)
    }

    /// Runs it through a manager, and returns its value.
    public func run(
        on manager: TaskManager = .shared, options: TaskManager.AddOptions = .init()
    ) async throws -> Success {
        try await manager.run(self, options: options)
    }
}

extension ManagerCore {
    func add<Managed: ManagedTask>(
        _ task: Managed, options: TaskManager.AddOptions,
        completion: (CallbackContext, @Sendable (Result<Managed.Success, any Error>) -> Void)?
    ) -> TypedRecord<Managed.Success> {
        let place = ManagerPlace.current.flatMap { $0.core === self ? $0 : nil }
        let name = task.name
        let record = Job(task, name: name, tags: options.tags, core: self)
        record.priority = options.priority
        record.delay = options.after
        record.limit = options.timeout
        record.deadline = options.deadline
        if let completion { record.completion = record.callback(on: completion.0, completion.1) }
        record.exemptReactor = place?.reactor
        record.skipsInterception = place?.kind == .interceptor
        // What the addition ends at once, or releases, is told by others than the caller.
        update(on: .shared) { $0.add(record, starts: options.startsImmediately) }
        return record
    }
}
