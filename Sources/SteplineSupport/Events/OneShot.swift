/// A value that is set once and can be awaited by any number of Swift tasks, before or after.
package final class OneShot<Value: Sendable>: Sendable {
    private enum State {
        case waiting([CheckedContinuation<Value, Never>])
        case fulfilled(Value)
    }

    private let state = Locked(State.waiting([]))

    package init() {}

    /// Sets the value and wakes all waiters; returns false if the value was set before.
    @discardableResult
    package func fulfill(_ value: Value) -> Bool {
        let waiting: [CheckedContinuation<Value, Never>]? = state.withLock { state in
            guard case .waiting(let continuations) = state else { return nil }
            state = .fulfilled(value)
            return continuations
        }
        // Resumed without the lock: a continuation may run its task at once.
        waiting?.forEach { $0.resume(returning: value) }
        return waiting != nil
    }

    /// The value, once it is set; cancelling the waiting task doesn't end the wait.
    package var value: Value {
        get async {
            defer { state.synchronize() }
            return await withCheckedContinuation { continuation in
                let ready: Value? = state.withLock { state in
                    switch state {
                    case .fulfilled(let value):
                        return value
                    case .waiting(var continuations):
                        // Empty the state first, so the array is appended to in place.
                        state = .waiting([])
                        continuations.append(continuation)
                        state = .waiting(continuations)
                        return nil
                    }
                }
                if let ready { continuation.resume(returning: ready) }
            }
        }
    }
}
