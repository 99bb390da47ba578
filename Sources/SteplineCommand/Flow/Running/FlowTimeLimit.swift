import SteplineSupport

/// A time limit that excludes waits for a host.
final class FlowTimeLimit: Sendable {
    private struct State {
        /// The remaining time.
        var left: Duration
        /// The uptime since which the time is counted; nil during a wait.
        var since: Duration?
        /// The number of begun waits minus ended ones.
        ///
        /// Negative if the end of a wait is reported before its begin, by another thread.
        var waits = 0
        var timer: Subscription?
        var isOver = false
        var hasEnded = false
    }

    private let clock: any StepClock
    private let stop: @Sendable () -> Void
    private let state: Locked<State>

    init(_ time: Duration, _ clock: any StepClock, stop: @escaping @Sendable () -> Void) {
        self.clock = clock
        self.stop = stop
        state = Locked(State(left: time))
        count()
    }

    /// Runs `body` and cancels it when the time is up; throws a ``FlowTimeout`` in that case.
    ///
    /// `body` must call the given closure when a wait begins and ends; it gets nil without a time limit.
    static func run<Value: Sendable>(
        within time: Duration?, _ clock: any StepClock,
        _ body: @escaping @Sendable (_ lineWatch: (@Sendable (Bool) -> Void)?) async throws -> Value
    ) async throws -> Value {
        guard let time else { return try await body(nil) }
        let work = Locked<Task<Value, any Error>?>(nil)
        let limit = FlowTimeLimit(time, clock) { work.withLock { $0 }?.cancel() }
        let running = Task { try await body { limit.wait($0) } }
        work.withLock { $0 = running }
        // The time may have been up before the task existed.
        if limit.isOver { running.cancel() }
        defer { limit.end() }
        do {
            return try await withTaskCancellationHandler {
                try await running.value
            } onCancel: {
                running.cancel()
            }
        } catch {
            throw limit.isOver ? FlowTimeout(time: time) : error
        }
    }

    private var isOver: Bool { state.withLock { $0.isOver } }

    /// Records that a wait begins or ends.
    func wait(_ begins: Bool) {
        let now = clock.uptime
        let (timer, counts) = state.withLock { state -> (Subscription?, Bool) in
            state.waits += begins ? 1 : -1
            guard state.waits > 0 else { return (nil, true) }
            if let since = state.since { state.left -= now - since }
            state.since = nil
            defer { state.timer = nil }
            return (state.timer, false)
        }
        timer?.cancel()
        if counts { count() }
    }

    private func count() {
        let now = clock.uptime
        let left: Duration? = state.withLock { state in
            guard state.since == nil, state.waits <= 0, !state.hasEnded, !state.isOver else { return nil }
            state.since = now
            return max(state.left, .zero)
        }
        guard let left else { return }
        let timer = clock.scheduleInBackground(after: left) { [weak self] in self?.timeIsUp(since: now) }
        let isUnwanted = state.withLock { state in
            guard state.since == now, !state.hasEnded else { return true }
            state.timer = timer
            return false
        }
        if isUnwanted { timer.cancel() }
    }

    private func timeIsUp(since begin: Duration) {
        let isOver = state.withLock { state in
            // Another wait may have begun since the timer fired.
            guard state.since == begin, !state.hasEnded else { return false }
            state.isOver = true
            return true
        }
        if isOver { stop() }
    }

    private func end() {
        let timer = state.withLock { state in
            state.hasEnded = true
            defer { state.timer = nil }
            return state.timer
        }
        timer?.cancel()
    }
}

/// The error after a time limit.
struct FlowTimeout: RetryAdvising, CustomStringConvertible {
    let time: Duration

    var description: String { "timed out after \(time)" }
    var isTransient: Bool { true }
}
