public import Dispatch
import SteplineEngine
public import SteplineSupport

extension TaskManager {
    /// Adds a task and returns at once; nothing of it runs on the caller's stack.
    ///
    /// `onEnd` is called exactly once, on `queue` or where the task ends. The handle may be dropped.
    @discardableResult
    public func add<Managed: ManagedTask>(
        _ task: Managed, options: AddOptions = AddOptions(), on queue: DispatchQueue? = nil,
        onEnd: (@Sendable (Outcome<Managed.Success>) -> Void)? = nil
    ) -> TaskHandle<Managed.Success> {
        TaskHandle(core.add(task, options: options, on: queue, onEnd: onEnd), core)
    }

    /// Adds a closure as a task.
    @discardableResult
    public func add<Success: Sendable>(
        _ name: String = "closure", options: AddOptions = AddOptions(), on queue: DispatchQueue? = nil,
        _ body: @escaping @Sendable () async throws -> Success,
        onEnd: (@Sendable (Outcome<Success>) -> Void)? = nil
    ) -> TaskHandle<Success> {
        add(AnyManagedTask(name, body), options: options, on: queue, onEnd: onEnd)
    }

    /// Adds a task, waits for its end, and returns its value.
    ///
    /// Throws a body's error unchanged, the manager's as ``TaskManagerError``, and `CancellationError` if the task was
    /// cancelled. Cancelling the Swift task that waits cancels the managed task.
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

    /// Never called: tells that a closure makes another type than is wanted, which the compiler finds no words for.
    @available(*, unavailable, message: "the closure makes another type than is wanted here")
    public func run<Success: Sendable, Wanted: Sendable>(
        _ name: String = "closure", options: AddOptions = AddOptions(),
        _ body: @escaping @Sendable () async throws -> Success
    ) async throws -> Wanted {
        guard let wanted = try await body() as? Wanted else { throw CancellationError() }
        return wanted
    }
}

extension ManagedTask {
    /// Adds it to a manager.
    @discardableResult
    public func add(
        to manager: TaskManager = .shared, options: TaskManager.AddOptions = .init(),
        on queue: DispatchQueue? = nil,
        onEnd: (@Sendable (Outcome<Success>) -> Void)? = nil
    ) -> TaskHandle<Success> {
        manager.add(self, options: options, on: queue, onEnd: onEnd)
    }

    /// Runs it through a manager, and returns its value.
    public func run(
        on manager: TaskManager = .shared, options: TaskManager.AddOptions
    ) async throws -> Success {
        try await manager.run(self, options: options)
    }

    /// Runs it through a manager, and returns its value.
    public func run(on manager: TaskManager) async throws -> Success { try await manager.run(self) }

    /// Runs it through ``TaskManager/shared``, and returns its value.
    ///
    /// It takes nothing; the parameter is for the compiler alone, which without it takes a mistake in the steps of
    /// `Pipeline.run { … }` for one in a call of this.
    public func run(_ nothing: Never...) async throws -> Success { try await run(on: .shared) }
}

extension ManagerCore {
    fileprivate func add<Managed: ManagedTask>(
        _ task: Managed, options: TaskManager.AddOptions, on queue: DispatchQueue?,
        onEnd: (@Sendable (Outcome<Managed.Success>) -> Void)?
    ) -> TypedRecord<Managed.Success> {
        let place = ManagerPlace.current.flatMap { $0.door === self ? $0 : nil }
        let terms = TaskTerms(
            name: task.name, tags: options.tags, delay: options.after, timeout: options.timeout,
            deadline: options.deadline, reactor: place?.reactor,
            skipsInterception: place?.kind == .interceptor)
        let record = Job(task, terms, laneOf: laneOf)
        record.priority = options.priority
        if let onEnd {
            let place = CallbackPlace(queue)
            place.mark()
            _ = record.callbacks.add(record.callback(.end, place: place, onEnd))
        }
        // What the addition ends at once, or releases, is told by others than the caller.
        update(on: .other) { $0.add(record, starts: options.startsImmediately, &$1) }
        return record
    }
}
