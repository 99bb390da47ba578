import SteplineSupport

/// The pending result of one attempt, and the handlers for a stop of the attempt.
///
/// The result is set once: by the completion, or by the release of its last copy. The handlers are called at a
/// cancellation, or released at the result.
final class CompletionCore<Success: Sendable>: Sendable {
    private struct Stopping {
        var isCancelled = false
        /// Whether the attempt has a result, so no handler is kept any more.
        var isOver = false
        var handlers: [@Sendable () -> Void] = []
    }

    let result = OneShot<Result<Success, any Error>>()
    private let stopping = Locked(Stopping())
    private let place: ManagerPlace?

    init(place: ManagerPlace?) {
        self.place = place
    }

    func end(_ result: Result<Success, any Error>) {
        if self.result.fulfill(result) {
            releaseHandlers()
        } else if let place, let record = place.record {
            // A second call of the completion, which only logs an event.
            place.control.tellLateEnd(of: record, attempt: place.attempt)
        }
    }

    /// Records that the code has returned, so `explain()` reports the missing completion.
    func bodyReturned() {
        guard let place, let record = place.record else { return }
        place.control.codeReturned(record, attempt: place.attempt)
    }

    /// Fails the attempt if it has no result.
    func drop() {
        let error = place?.record?.error(.completionDropped) ?? TaskManagerError(.completionDropped)
        // Usually the completion was called before, and `fulfill` returns false.
        if result.fulfill(.failure(error)) { releaseHandlers() }
    }

    var isCancelled: Bool { stopping.withLock { $0.isCancelled } }

    func cancel() {
        // Called without the lock: a handler may call the completion.
        for handler in takeHandlers(isCancelled: true) { handler() }
    }

    /// Releases the handlers and accepts no others: a handler may retain the completion, in a cycle.
    private func releaseHandlers() {
        withExtendedLifetime(takeHandlers(isOver: true)) {}
    }

    /// Removes all handlers; the caller calls or releases them after unlock.
    private func takeHandlers(isCancelled: Bool = false, isOver: Bool = false) -> [@Sendable () -> Void] {
        stopping.withLock { stopping in
            if isCancelled { stopping.isCancelled = true }
            if isOver { stopping.isOver = true }
            defer { stopping.handlers = [] }
            return stopping.handlers
        }
    }

    func onCancel(_ handler: @escaping @Sendable () -> Void) {
        // Either the handler is stored, or the stop came first: never both, because both check under the lock.
        let isNow = stopping.withLock { stopping in
            if !stopping.isCancelled, !stopping.isOver { stopping.handlers.append(handler) }
            return stopping.isCancelled
        }
        if isNow { handler() }
    }
}

/// The owner of a completion's core, shared by all copies; its deinitializer fails the attempt.
final class CompletionKeeper<Success: Sendable>: Sendable {
    let core: CompletionCore<Success>

    init(_ core: CompletionCore<Success>) {
        self.core = core
    }

    deinit { core.drop() }
}
