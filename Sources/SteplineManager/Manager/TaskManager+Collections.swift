public import Dispatch
import SteplineEngine
public import SteplineSupport

extension TaskManager {
    /// Runs tasks and returns their outcomes in the order of the input.
    ///
    /// A failed element doesn't affect other elements. `after`, `deadline` and `startsImmediately` apply to the whole
    /// collection, all other options to each element.
    ///
    /// - Parameters:
    ///   - tasks: The tasks.
    ///   - limit: The maximum number of concurrent elements; nil for no limit.
    ///   - options: The options; the collection always starts immediately.
    /// - Returns: One outcome per element.
    /// - Throws: `CancellationError` if the wait was cancelled, or the error of an exceeded deadline. Both cancel the
    ///   elements.
    public func outcomes<Managed: ManagedTask>(
        of tasks: some Sequence<Managed> & Sendable, limit: Int? = nil, options: AddOptions = AddOptions()
    ) async throws -> [Outcome<Managed.Success>] {
        try await collection(of: tasks, limit: limit, options: options, stopsAtFailure: false)
    }

    /// Runs tasks and returns their values in the order of the input.
    ///
    /// - Parameters:
    ///   - tasks: The tasks.
    ///   - limit: The maximum number of concurrent elements; nil for no limit.
    ///   - options: The options; see ``outcomes(of:limit:options:)``.
    /// - Returns: One value per element.
    /// - Throws: The first error of an element, which cancels all others.
    public func values<Managed: ManagedTask>(
        of tasks: some Sequence<Managed> & Sendable, limit: Int? = nil, options: AddOptions = AddOptions()
    ) async throws -> [Managed.Success] {
        try await collection(of: tasks, limit: limit, options: options, stopsAtFailure: true).map {
            try $0.get()
        }
    }

    /// Runs tasks and returns the values of the successful ones, in the order of the input.
    ///
    /// - Parameters:
    ///   - tasks: The tasks.
    ///   - limit: The maximum number of concurrent elements; nil for no limit.
    ///   - options: The options; see ``outcomes(of:limit:options:)``.
    /// - Returns: The values; empty if no element succeeded or the deadline passed.
    public func successes<Managed: ManagedTask>(
        of tasks: some Sequence<Managed> & Sendable, limit: Int? = nil, options: AddOptions = AddOptions()
    ) async -> [Managed.Success] {
        let outcomes = try? await outcomes(of: tasks, limit: limit, options: options)
        return (outcomes ?? []).compactMap(\.value)
    }

    /// Runs tasks and returns a stream of outcomes with their indices, in order of completion.
    ///
    /// - Parameters:
    ///   - tasks: The tasks.
    ///   - limit: The maximum number of concurrent elements; nil for no limit.
    ///   - options: The options; see ``outcomes(of:limit:options:)``.
    /// - Returns: The stream; ending its iteration cancels the other elements.
    public func stream<Managed: ManagedTask>(
        of tasks: some Sequence<Managed> & Sendable, limit: Int? = nil, options: AddOptions = AddOptions()
    ) -> AsyncStream<(Int, Outcome<Managed.Success>)> {
        let place = callersPlace
        return AsyncStream { continuation in
            // A detached task doesn't inherit task-local values, so the caller's place is passed on explicitly.
            let work = Stages.detachedTask {
                _ = try? await ManagerPlace.$current.withValue(place) {
                    try await self.collection(
                        of: tasks, limit: limit, options: options, stopsAtFailure: false
                    ) { continuation.yield(($0, $1)) }
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in work.cancel() }
        }
    }

    /// Adds tasks and returns a handle for the whole collection.
    ///
    /// With `startsImmediately` set to false, the tasks are added when the handle is started.
    ///
    /// - Parameters:
    ///   - tasks: The tasks.
    ///   - limit: The maximum number of concurrent elements; nil for no limit.
    ///   - options: The options; see ``outcomes(of:limit:options:)``.
    ///   - queue: The queue for `onEnd`; nil for the thread on which the collection ends.
    ///   - onEnd: Called exactly once, with the outcome.
    /// - Returns: The handle of the collection, which can be ignored.
    @discardableResult
    public func addAll<Managed: ManagedTask>(
        _ tasks: some Sequence<Managed> & Sendable, limit: Int? = nil, options: AddOptions = AddOptions(),
        on queue: DispatchQueue? = nil,
        onEnd: (@Sendable (Outcome<[Outcome<Managed.Success>]>) -> Void)? = nil
    ) -> TaskHandle<[Outcome<Managed.Success>]> {
        let (whole, each) = options.split()
        let front = makeFront()
        let place = callersPlace
        let body = AnyManagedTask("collection") { () async throws -> [Outcome<Managed.Success>] in
            // The handle can be started until its end, so its manager must stay alive.
            defer { withExtendedLifetime(front) {} }
            return try await ManagerPlace.$current.withValue(place) {
                try await self.outcomes(of: tasks, limit: limit, options: each)
            }
        }
        return front.add(body, options: whole, on: queue, onEnd: onEnd)
    }

    /// Creates a manager for a collection, with this manager's clock.
    ///
    /// The collection isn't a task of this manager: interceptors and reactors see only the elements.
    private func makeFront() -> TaskManager {
        TaskManager("collections", options: Options(clock: core.clock))
    }

    /// The caller's place, if the caller runs in code of this manager.
    ///
    /// A collection adds and awaits its elements in another Swift task, on behalf of this place. Otherwise a body would
    /// occupy the slot that it waits for, and an interceptor would wait for its own answer.
    private var callersPlace: ManagerPlace? {
        ManagerPlace.current.flatMap { $0.control === core ? $0 : nil }
    }

    private func collection<Managed: ManagedTask>(
        of tasks: some Sequence<Managed> & Sendable, limit: Int?, options: AddOptions, stopsAtFailure: Bool,
        tell: @escaping @Sendable (Int, Outcome<Managed.Success>) -> Void = { _, _ in }
    ) async throws -> [Outcome<Managed.Success>] {
        var options = options
        // Without a handle, no caller could start the collection.
        options.startsImmediately = true
        let (whole, each) = options.split()
        guard whole.after > .zero || whole.deadline != nil else {
            return try await elements(
                of: tasks, limit: limit, options: each, stopsAtFailure: stopsAtFailure, tell: tell)
        }
        let place = callersPlace
        let body = AnyManagedTask("collection") { () async throws -> [Outcome<Managed.Success>] in
            try await ManagerPlace.$current.withValue(place) {
                try await self.elements(
                    of: tasks, limit: limit, options: each, stopsAtFailure: stopsAtFailure, tell: tell)
            }
        }
        return try await makeFront().run(body, options: whole)
    }

    private func elements<Managed: ManagedTask>(
        of tasks: some Sequence<Managed> & Sendable, limit: Int?, options: AddOptions, stopsAtFailure: Bool,
        tell: @escaping @Sendable (Int, Outcome<Managed.Success>) -> Void
    ) async throws -> [Outcome<Managed.Success>] {
        return try await withThrowingTaskGroup(of: (Int, Outcome<Managed.Success>).self) { group in
            var outcomes: [Outcome<Managed.Success>?] = []
            var running = 0
            func take(_ end: (Int, Outcome<Managed.Success>)) throws {
                running -= 1
                outcomes[end.0] = end.1
                tell(end.0, end.1)
                // Throwing out of the group cancels its children, whose handlers cancel the remaining handles.
                if stopsAtFailure { _ = try end.1.get() }
            }
            for (index, task) in tasks.enumerated() {
                // The limit is reached: wait for the end of one element.
                if running >= limit.map({ max($0, 1) }) ?? .max, let end = try await group.next() {
                    try take(end)
                }
                // Cancelled: add no further elements. The group cancels the running ones.
                try Task.checkCancellation()
                outcomes.append(nil)
                running += 1
                // Added here, not in the child task, so elements begin in the order of the input.
                let handle = add(task, options: options)
                group.addTask {
                    await withTaskCancellationHandler {
                        // The wait ignores the cancellation: the handle is cancelled and ends at once.
                        (index, await handle.end())
                    } onCancel: {
                        handle.cancel(.collectionEnded)
                    }
                }
            }
            while let end = try await group.next() { try take(end) }
            try Task.checkCancellation()
            return outcomes.compactMap { $0 }
        }
    }
}

extension TaskManager.AddOptions {
    /// Returns the options of the collection and of each element.
    fileprivate func split() -> (whole: Self, each: Self) {
        var each = self
        each.after = .zero
        each.deadline = nil
        each.startsImmediately = true
        return (Self(startsImmediately: startsImmediately, after: after, deadline: deadline), each)
    }
}

extension TaskHandle {
    /// Waits for the outcome, with the body's slot lent, even if the Swift task is cancelled.
    fileprivate func end() async -> Outcome<Success> {
        let outcome = await outcome()
        // A cancelled wait returns early. The cancelled handle has ended by then, with its own outcome.
        return currentOutcome ?? outcome
    }
}

extension CancellationReason {
    fileprivate static let collectionEnded = CancellationReason(.surroundings, "its collection has ended")
}
