public import Dispatch
import SteplineEngine
public import SteplineSupport

extension TaskManager {
    /// Runs tasks, at most `limit` at once, and returns one outcome for each, in order of input.
    ///
    /// A failed element fails nothing else. `after`, `deadline` and `startsImmediately` are of the whole, which
    /// begins by itself where it has no handle; all other options are of each element. Cancelling the wait, and
    /// the deadline, end the elements and are thrown.
    public func outcomes<Managed: ManagedTask>(
        of tasks: some Sequence<Managed> & Sendable, limit: Int? = nil, options: AddOptions = AddOptions()
    ) async throws -> [Outcome<Managed.Success>] {
        try await collection(of: tasks, limit: limit, options: options, stopsAtFailure: false)
    }

    /// Runs tasks, and returns their values in order of input; the first failure cancels the rest and is thrown.
    public func values<Managed: ManagedTask>(
        of tasks: some Sequence<Managed> & Sendable, limit: Int? = nil, options: AddOptions = AddOptions()
    ) async throws -> [Managed.Success] {
        try await collection(of: tasks, limit: limit, options: options, stopsAtFailure: true).map {
            try $0.get()
        }
    }

    /// Runs tasks, and returns the values of those that succeed, in order of input.
    ///
    /// Empty if none does, or if the whole timed out.
    public func successes<Managed: ManagedTask>(
        of tasks: some Sequence<Managed> & Sendable, limit: Int? = nil, options: AddOptions = AddOptions()
    ) async -> [Managed.Success] {
        let outcomes = try? await outcomes(of: tasks, limit: limit, options: options)
        return (outcomes ?? []).compactMap(\.value)
    }

    /// Runs tasks, and gives each outcome with its index in order of completion; leaving the stream cancels the rest.
    public func stream<Managed: ManagedTask>(
        of tasks: some Sequence<Managed> & Sendable, limit: Int? = nil, options: AddOptions = AddOptions()
    ) -> AsyncStream<(Int, Outcome<Managed.Success>)> {
        let place = callersPlace
        return AsyncStream { continuation in
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

    /// Adds tasks, and returns a handle of the whole.
    ///
    /// If that isn't to start immediately, its tasks are added when the handle is started.
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
            // Somebody may start it until its end, so its manager isn't let go before.
            defer { withExtendedLifetime(front) {} }
            return try await ManagerPlace.$current.withValue(place) {
                try await self.outcomes(of: tasks, limit: limit, options: each)
            }
        }
        return front.add(body, options: whole, on: queue, onEnd: onEnd)
    }

    /// Makes a manager for the whole of a collection, with this one's clock.
    ///
    /// The whole is no task of this manager: its interceptors and reactors see the elements alone.
    private func makeFront() -> TaskManager {
        TaskManager("collections", options: Options(clock: core.clock))
    }

    /// Where the caller's code runs, if that is this manager's.
    ///
    /// What a collection adds and awaits in another Swift task is added and awaited for that place: else a body
    /// would keep the slot that it waits for, and an interceptor wait for its own answer.
    private var callersPlace: ManagerPlace? {
        ManagerPlace.current.flatMap { $0.door === core ? $0 : nil }
    }

    private func collection<Managed: ManagedTask>(
        of tasks: some Sequence<Managed> & Sendable, limit: Int?, options: AddOptions, stopsAtFailure: Bool,
        tell: @escaping @Sendable (Int, Outcome<Managed.Success>) -> Void = { _, _ in }
    ) async throws -> [Outcome<Managed.Success>] {
        var options = options
        // Without a handle nobody could start it.
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
                if stopsAtFailure { _ = try end.1.get() }
            }
            for (index, task) in tasks.enumerated() {
                if running >= limit.map({ max($0, 1) }) ?? .max, let end = try await group.next() {
                    try take(end)
                }
                try Task.checkCancellation()
                outcomes.append(nil)
                running += 1
                // Added here and not in the child, so that elements begin in order of input.
                let handle = add(task, options: options)
                group.addTask {
                    await withTaskCancellationHandler {
                        // The wait itself isn't cancelled: the handle is, and ends at once.
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
    /// What is of a whole collection, and what of each element.
    fileprivate func split() -> (whole: Self, each: Self) {
        var each = self
        each.after = .zero
        each.deadline = nil
        each.startsImmediately = true
        return (Self(startsImmediately: startsImmediately, after: after, deadline: deadline), each)
    }
}

extension TaskHandle {
    /// The outcome; lends the slot of the body that asks, and waits on when the Swift task is cancelled.
    fileprivate func end() async -> Outcome<Success> {
        let outcome = await outcome()
        return currentOutcome ?? outcome
    }
}

extension CancellationReason {
    fileprivate static let collectionEnded = CancellationReason(.surroundings, "its collection has ended")
}
