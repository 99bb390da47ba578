import SteplineSupport

/// Collects values in order, from any thread, and lets a test wait for them.
public final class Recorder<Value: Sendable>: Sendable {
    private struct State {
        var values: [Value] = []
        var waiters: [(count: Int, wakeup: OneShot<Void>)] = []
    }

    private let state = Locked(State())

    /// Creates an empty recorder.
    public init() {}

    /// All values so far.
    public var values: [Value] { state.withLock { $0.values } }

    /// The number of values so far.
    public var count: Int { state.withLock { $0.values.count } }

    /// Adds a value.
    public func record(_ value: Value) {
        let woken = state.withLock { state in
            state.values.append(value)
            let count = state.values.count
            let woken = state.waiters.filter { $0.count <= count }
            state.waiters.removeAll { $0.count <= count }
            return woken
        }
        // Resumed without the lock, because the test continues at once.
        for waiter in woken { waiter.wakeup.fulfill(()) }
    }

    /// Waits until the given number of values is recorded, or the Swift task is cancelled.
    ///
    /// The cancellation lets a test's time limit end the wait.
    public func waitForCount(_ count: Int) async {
        let wakeup = OneShot<Void>()
        let isReached = state.withLock { state in
            guard state.values.count < count else { return true }
            state.waiters.append((count, wakeup))
            return false
        }
        if !isReached { await wakeup.valueOrCancellation() }
    }
}

extension OneShot<Void> {
    /// Waits for the value, or until the Swift task is cancelled.
    func valueOrCancellation() async {
        await withTaskCancellationHandler {
            await value
        } onCancel: {
            fulfill(())
        }
    }
}
