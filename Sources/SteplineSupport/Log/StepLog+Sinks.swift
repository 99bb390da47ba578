import Dispatch
import Synchronization

extension StepLog {
    /// Adds a sink after the other sinks.
    @discardableResult
    public func addSink(_ sink: any LogSink) -> LogSinkID {
        state.withLock { state in
            state.lastSink += 1
            let id = LogSinkID(number: state.lastSink)
            state.sinks.append((id, sink))
            // Set under the lock, like in the removals: a late store must not undo a following change.
            hasReaders.store(true, ordering: .relaxed)
            return id
        }
    }

    /// Adds a closure as a sink after the other sinks.
    @discardableResult
    public func addSink(_ body: @escaping @Sendable (LogRecord) -> Void) -> LogSinkID {
        addSink(ClosureSink(body: body))
    }

    /// Removes one sink.
    public func removeSink(_ id: LogSinkID) {
        let old = state.withLock { state in
            let old = state.sinks
            state.sinks.removeAll { $0.id == id }
            if state.sinks.isEmpty { hasReaders.store(historySize > 0, ordering: .relaxed) }
            return old
        }
        // Release the user's sink after unlock.
        withExtendedLifetime(old) {}
    }

    /// Removes all sinks.
    public func removeAllSinks() {
        let old = state.withLock { state in
            defer { state.sinks = [] }
            hasReaders.store(historySize > 0, ordering: .relaxed)
            return state.sinks
        }
        withExtendedLifetime(old) {}
    }

    /// The last lines that the filters accepted, oldest first.
    public var history: [String] { state.withLock { $0.oldestFirst } }

    /// Waits until all earlier records are delivered.
    public func flush() async {
        await withCheckedContinuation { continuation in
            if !whenFlushed({ continuation.resume() }) { continuation.resume() }
        }
    }

    /// Blocks the current thread until all earlier records are delivered; never call this in a sink.
    @available(*, noasync, message: "await flush() instead")
    public func waitUntilFlushed() {
        let end = DispatchSemaphore(value: 0)
        if whenFlushed({ end.signal() }) { end.wait() }
    }

    private func whenFlushed(_ wake: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            guard state.isDelivering else { return false }
            state.flushing.append(wake)
            return true
        }
    }
}
