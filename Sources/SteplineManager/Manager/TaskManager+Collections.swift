public import Dispatch
import SteplineSupport

extension TaskManager {
    /// Runs tasks, at most `limit` at once, and returns one result for each, in order of input.
    ///
    /// A failed element fails nothing else. `after` and `deadline` are of the whole, all other options of each
    /// element. Cancelling the wait, and the deadline, end the elements and are thrown.
    public func results<Managed: ManagedTask>(
        of tasks: some Sequence<Managed> & Sendable, limit: Int? = nil, options: AddOptions = AddOptions()
    ) async throws -> [Result<Managed.Success, any Error>] {
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
        let results = try? await results(of: tasks, limit: limit, options: options)
        return (results ?? []).compactMap { try? $0.get() }
    }

    /// Runs tasks, and gives each result with its index in order of completion; leaving the stream cancels the rest.
    public func stream<Managed: ManagedTask>(
        of tasks: some Sequence<Managed> & Sendable, limit: Int? = nil, options: AddOptions = AddOptions()
    ) -> AsyncStream<(Int, Result<Managed.Success, any Error>)> {
        AsyncStream { continuation in
            let work = Task.detached {
                _ = try? await self.collection(
                    of: tasks, limit: limit, options: options, stopsAtFailure: false
                ) { continuation.yield(($0, $1)) }
                continuation.finish()
            }
            continuation.onTermination = { _ in work.cancel() }
        }
    }

    /// Adds tasks, and returns a handle of the whole.
    @discardableResult
    public func addAll<Managed: ManagedTask>(
        _ tasks: some Sequence<Managed> & Sendable, limit: Int? = nil, options: AddOptions = AddOptions(),
        on queue: DispatchQueue? = nil,
        completion: (@Sendable (Result<[Result<Managed.Success, any Error>], any Error>) -> Void)? = nil
    ) -> TaskHandle<[Result<Managed.Success, any Error>]> {
        let (whole, each) = options.split()
        // The whole is no task of this manager: its interceptors and reactors see the elements alone.
        let body = AnyManagedTask<[Result<Managed.Success, any Error>]>("collection") {
            try await self.results(of: tasks, limit: limit, options: each)
        }
        return Self.collections.add(body, options: whole, on: queue, completion: completion)
    }

    private static let collections = TaskManager("collections")

    private func collection<Managed: ManagedTask>(
        of tasks: some Sequence<Managed> & Sendable, limit: Int?, options: AddOptions, stopsAtFailure: Bool,
        tell: @escaping @Sendable (Int, Result<Managed.Success, any Error>) -> Void = { _, _ in }
    ) async throws -> [Result<Managed.Success, any Error>] {
        let (whole, each) = options.split()
        guard whole.after > .zero || whole.deadline != nil else {
            return try await elements(
                of: tasks, limit: limit, options: each, stopsAtFailure: stopsAtFailure, tell: tell)
        }
        let body = AnyManagedTask<[Result<Managed.Success, any Error>]>("collection") {
            try await self.elements(
                of: tasks, limit: limit, options: each, stopsAtFailure: stopsAtFailure, tell: tell)
        }
        // On a manager of its own, with this one's clock.
        let front = TaskManager("collections", options: Options(clock: core.options.clock))
        return try await front.run(body, options: whole)
    }

    private func elements<Managed: ManagedTask>(
        of tasks: some Sequence<Managed> & Sendable, limit: Int?, options: AddOptions, stopsAtFailure: Bool,
        tell: @escaping @Sendable (Int, Result<Managed.Success, any Error>) -> Void
    ) async throws -> [Result<Managed.Success, any Error>] {
        typealias Outcome = Result<Managed.Success, any Error>
        return try await withThrowingTaskGroup(of: (Int, Outcome).self) { group in
            var results: [Outcome?] = []
            var running = 0
            func take(_ end: (Int, Outcome)) throws {
                running -= 1
                results[end.0] = end.1
                tell(end.0, end.1)
                if stopsAtFailure { _ = try end.1.get() }
            }
            for (index, task) in tasks.enumerated() {
                if running >= limit.map({ max($0, 1) }) ?? .max, let end = try await group.next() {
                    try take(end)
                }
                try Task.checkCancellation()
                results.append(nil)
                running += 1
                // Added here and not in the child, so that elements begin in order of input.
                let handle = add(task, options: options)
                group.addTask {
                    await withTaskCancellationHandler {
                        // The wait itself isn't cancelled: the handle is, and ends at once.
                        (index, await handle.end())
                    } onCancel: {
                        handle.cancel(because: "its collection has ended")
                    }
                }
            }
            while let end = try await group.next() { try take(end) }
            try Task.checkCancellation()
            return results.compactMap { $0 }
        }
    }
}

extension TaskManager.AddOptions {
    /// What is of a whole collection, and what of each element.
    fileprivate func split() -> (whole: Self, each: Self) {
        var each = self
        each.after = .zero
        each.deadline = nil
        return (Self(startsImmediately: startsImmediately, after: after, deadline: deadline), each)
    }
}

extension TaskHandle {
    /// The result; lends the slot of the body that asks, and waits on when the Swift task is cancelled.
    fileprivate func end() async -> Result<Success, any Error> {
        let result = await result
        return currentResult ?? result
    }
}
