import Dispatch
public import SteplineSupport

/// The number of active transfers, for an activity indicator.
public final class TransferActivity: Sendable {
    /// The counter of this process.
    public static let shared = TransferActivity()

    private struct State {
        var count = 0
        var lastID = 0
        var observers: [Int: @Sendable (Int) -> Void] = [:]
    }

    private let state = Locked(State())
    /// The queue of the observers, which keeps their order.
    private let queue = DispatchQueue(label: "stepline.activity")

    package init() {}

    /// The number of active transfers.
    public var count: Int { state.withLock { $0.count } }

    /// Calls `body` with each new number, in order, on a private queue.
    ///
    /// - Parameter body: The observer.
    /// - Returns: A subscription whose cancellation removes the observer.
    @discardableResult
    public func onChange(_ body: @escaping @Sendable (Int) -> Void) -> Subscription {
        let id = state.withLock { state in
            state.lastID += 1
            state.observers[state.lastID] = body
            return state.lastID
        }
        return Subscription { [state] in
            // Remove under the lock, release after unlock.
            _ = state.withLock { $0.observers.removeValue(forKey: id) }
        }
    }

    package func began() { change(by: 1) }

    package func ended() { change(by: -1) }

    private func change(by difference: Int) {
        state.withLock { state in
            state.count += difference
            guard !state.observers.isEmpty else { return }
            let count = state.count
            // Queued under the lock, so the order is that of the changes.
            queue.async { [self] in tell(count) }
        }
    }

    private func tell(_ count: Int) {
        // In order of registration, without the lock: observers are user code.
        for observer in state.withLock({ $0.observers.sorted { $0.key < $1.key } }) { observer.value(count) }
    }
}
