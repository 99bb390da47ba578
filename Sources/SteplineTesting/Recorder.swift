import SteplineSupport

/// Collects what callbacks tell, in order, from any thread, and lets a test wait for it.
public final class Recorder<Value: Sendable>: Sendable {
    private struct State {
        var values: [Value] = []
        var waiters: [(count: Int, wakeup: OneShot<Void>)] = []
    }

    private let state = Locked(State())

    /// Makes an empty recorder.
    public init() {}

    /// Everything recorded so far.
    public var values: [Value] { state.withLock { $0.values } }

    /// How much has been recorded so far.
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
        for waiter in woken { waiter.wakeup.fulfill(()) }
    }

    /// Waits until so many values have been recorded, or the Swift task is cancelled.
    ///
    /// So a test that has a time limit ends by it, whatever it waits for.
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
    /// Waits for it, and no longer once the Swift task is cancelled.
    func valueOrCancellation() async {
        await withTaskCancellationHandler {
            await value
        } onCancel: {
            fulfill(())
        }
    }
}
