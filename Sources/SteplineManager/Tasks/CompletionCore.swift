import SteplineSupport

/// One attempt's result to come, and who wants to know that the attempt was stopped.
final class CompletionCore<Success: Sendable>: Sendable {
    private struct Stopping {
        var isCancelled = false
        /// Whether there is nothing left to be stopped.
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
            letGoOfHandlers()
        } else if let place, let record = place.record {
            place.door.tellLateEnd(of: record, attempt: place.attempt)
        }
    }

    /// From here on `explain()` says that it waits for the completion.
    func bodyReturned() {
        guard let place, let record = place.record else { return }
        place.door.codeReturned(record, attempt: place.attempt)
    }

    /// Ends it if nothing else has.
    func drop() {
        let error = place?.record?.error(.completionDropped) ?? TaskManagerError(.completionDropped)
        if result.fulfill(.failure(error)) { letGoOfHandlers() }
    }

    var isCancelled: Bool { stopping.withLock { $0.isCancelled } }

    func cancel() {
        for handler in takeHandlers(isCancelled: true) { handler() }
    }

    /// From here on none is kept: it may hold the completion, which would then hold itself.
    private func letGoOfHandlers() {
        withExtendedLifetime(takeHandlers(isOver: true)) {}
    }

    /// What users have registered is called, or freed, after the lock.
    private func takeHandlers(isCancelled: Bool = false, isOver: Bool = false) -> [@Sendable () -> Void] {
        stopping.withLock { stopping in
            if isCancelled { stopping.isCancelled = true }
            if isOver { stopping.isOver = true }
            defer { stopping.handlers = [] }
            return stopping.handlers
        }
    }

    func onCancel(_ handler: @escaping @Sendable () -> Void) {
        let isNow = stopping.withLock { stopping in
            if !stopping.isCancelled, !stopping.isOver { stopping.handlers.append(handler) }
            return stopping.isCancelled
        }
        if isNow { handler() }
    }
}

/// Shared by all copies of one completion: its end is theirs.
final class CompletionKeeper<Success: Sendable>: Sendable {
    let core: CompletionCore<Success>

    init(_ core: CompletionCore<Success>) {
        self.core = core
    }

    deinit { core.drop() }
}
