public import Dispatch
import SteplineEngine
public import SteplineSupport

extension TaskManager {
    /// Adds a task and returns at once; no user code runs on the caller's stack.
    ///
    /// - Parameters:
    ///   - task: The task.
    ///   - options: The options of this addition.
    ///   - queue: The queue for `onEnd`; nil for the thread on which the task ends.
    ///   - onEnd: Called exactly once, with the outcome.
    /// - Returns: The handle, which can be ignored.
    @discardableResult
    public func add<Managed: ManagedTask>(
        _ task: Managed, options: AddOptions = AddOptions(), on queue: DispatchQueue? = nil,
        onEnd: (@Sendable (Outcome<Managed.Success>) -> Void)? = nil
    ) -> TaskHandle<Managed.Success> {
        TaskHandle(core.add(task, options: options, on: queue, onEnd: onEnd), core)
    }

    /// Adds a closure as a task.
    ///
    /// - Parameters:
    ///   - name: The name in logs, events and errors.
    ///   - options: The options of this addition.
    ///   - queue: The queue for `onEnd`; nil for the thread on which the task ends.
    ///   - body: The closure, called once per attempt.
    ///   - onEnd: Called exactly once, with the outcome.
    /// - Returns: The handle, which can be ignored.
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
    /// Cancelling the waiting Swift task cancels the managed task.
    ///
    /// - Parameters:
    ///   - task: The task.
    ///   - options: The options of this addition.
    /// - Returns: The value of the task.
    /// - Throws: The body's error unchanged, the manager's error as ``TaskManagerError``, or `CancellationError`.
    public func run<Managed: ManagedTask>(
        _ task: Managed, options: AddOptions = AddOptions()
    ) async throws -> Managed.Success {
        try await add(task, options: options).valueOfRun
    }

    /// Runs a closure as a task and returns its value.
    ///
    /// - Parameters:
    ///   - name: The name in logs, events and errors.
    ///   - options: The options of this addition.
    ///   - body: The closure, called once per attempt.
    /// - Returns: The value of the closure.
    /// - Throws: The closure's error, a ``TaskManagerError``, or `CancellationError`.
    public func run<Success: Sendable>(
        _ name: String = "closure", options: AddOptions = AddOptions(),
        _ body: @escaping @Sendable () async throws -> Success
    ) async throws -> Success {
        try await run(AnyManagedTask(name, body), options: options)
    }

    /// Improves the compiler's message about a closure with another result type; never called.
    @available(*, unavailable, message: "the closure makes another type than is expected")
    public func run<Success: Sendable, Expected: Sendable>(
        _ name: String = "closure", options: AddOptions = AddOptions(),
        _ body: @escaping @Sendable () async throws -> Success
    ) async throws -> Expected {
        guard let value = try await body() as? Expected else { throw CancellationError() }
        return value
    }
}

extension ManagedTask {
    /// Adds the task to a manager.
    ///
    /// - Parameters:
    ///   - manager: The manager.
    ///   - options: The options of this addition.
    ///   - queue: The queue for `onEnd`; nil for the thread on which the task ends.
    ///   - onEnd: Called exactly once, with the outcome.
    /// - Returns: The handle, which can be ignored.
    @discardableResult
    public func add(
        to manager: TaskManager = .shared, options: TaskManager.AddOptions = .init(),
        on queue: DispatchQueue? = nil,
        onEnd: (@Sendable (Outcome<Success>) -> Void)? = nil
    ) -> TaskHandle<Success> {
        manager.add(self, options: options, on: queue, onEnd: onEnd)
    }

    /// Runs the task through a manager and returns its value.
    ///
    /// - Throws: The errors of ``TaskManager/run(_:options:)``.
    public func run(
        on manager: TaskManager = .shared, options: TaskManager.AddOptions
    ) async throws -> Success {
        try await manager.run(self, options: options)
    }

    /// Runs the task through a manager and returns its value.
    ///
    /// - Throws: The errors of ``TaskManager/run(_:options:)``.
    public func run(on manager: TaskManager) async throws -> Success { try await manager.run(self) }

    /// Runs the task through ``TaskManager/shared`` and returns its value.
    ///
    /// - Parameter nothing: Pass no argument. The parameter only directs the compiler: a mistake in the steps of
    ///   `Pipeline.run { … }` is then reported there.
    /// - Returns: The value of the task.
    /// - Throws: The errors of ``TaskManager/run(_:options:)``.
    public func run(_ nothing: Never...) async throws -> Success { try await run(on: .shared) }
}

extension ManagerCore {
    fileprivate func add<Managed: ManagedTask>(
        _ task: Managed, options: TaskManager.AddOptions, on queue: DispatchQueue?,
        onEnd: (@Sendable (Outcome<Managed.Success>) -> Void)?
    ) -> TypedRecord<Managed.Success> {
        let place = ManagerPlace.current.flatMap { $0.control === self ? $0 : nil }
        // An interceptor can't be asked about a task that it adds itself while it answers: both would wait.
        let terms = TaskTerms(
            name: task.name, tags: options.tags, delay: options.after, timeout: options.timeout,
            deadline: options.deadline, reactor: place?.reactor,
            skipsInterception: place?.kind == .interceptor, values: PropagatedValues.current)
        let record = Job(task, terms, laneOf: laneOf)
        // The record isn't shared yet, so no lock is needed.
        record.priority = options.priority
        if let onEnd {
            // Registered before the addition, so even an immediate end calls it.
            let place = CallbackPlace(queue)
            place.mark()
            _ = record.callbacks.add(record.callback(.end, place: place, onEnd))
        }
        // The addition may end or release tasks at once; a worker then calls their callbacks, not the caller.
        update(on: .other) { $0.add(record, starts: options.startsImmediately, &$1) }
        return record
    }
}
