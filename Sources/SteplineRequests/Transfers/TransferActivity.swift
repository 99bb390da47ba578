import Dispatch
public import SteplineSupport

/// Counts the transfers that are running: the hook for an activity indicator.
public final class TransferActivity: Sendable {
    /// The count of all transfers of this process.
    public static let shared = TransferActivity()

    private struct State {
        var count = 0
        var lastID = 0
        var observers: [Int: @Sendable (Int) -> Void] = [:]
    }

    private let state = Locked(State())
    /// On which observers are told, so that they are told in order.
    private let queue = DispatchQueue(label: "stepline.activity")

    package init() {}

    /// How many transfers are running now.
    public var count: Int { state.withLock { $0.count } }

    /// Calls `body` with each new count, in order, on a queue of its own.
    @discardableResult
    public func onChange(_ body: @escaping @Sendable (Int) -> Void) -> Subscription {
        let id = state.withLock { state in
            state.lastID += 1
            state.observers[state.lastID] = body
            return state.lastID
        }
        return Subscription { [state] in
            // Taken out under the lock, released after it.
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
            // Put in the queue under the lock, so that the order is that of the changes.
            queue.async { [self] in tell(count) }
        }
    }

    private func tell(_ count: Int) {
        for observer in state.withLock({ $0.observers.sorted { $0.key < $1.key } }) { observer.value(count) }
    }
}
