import SteplineSupport

/// How long something may take, without the times in which it waits in line for a host.
final class FlowTimeLimit: Sendable {
    private struct State {
        /// How long it may still take.
        var left: Duration
        /// Since when that is counted; nil while it waits.
        var since: Duration?
        /// The waits that were told to have begun, less those told to be over.
        ///
        /// Below zero where the end of one overtakes its beginning, which comes from another thread.
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

    /// Runs `body`, which is cancelled once it has taken too long; it then fails with a ``FlowTimeout``.
    ///
    /// What `body` is given is to be told when a wait in line begins and ends; nil where time doesn't matter.
    static func run<Value: Sendable>(
        within time: Duration?, _ clock: any StepClock,
        _ body: @escaping @Sendable (_ lineWatch: (@Sendable (Bool) -> Void)?) async throws -> Value
    ) async throws -> Value {
        guard let time else { return try await body(nil) }
        let work = Locked<Task<Value, any Error>?>(nil)
        let limit = FlowTimeLimit(time, clock) { work.withLock { $0 }?.cancel() }
        let running = Task { try await body { limit.wait($0) } }
        work.withLock { $0 = running }
        // It may have been over before there was anything to be cancelled.
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

    /// A wait in line begins or ends.
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
        let timer = clock.schedule(after: left) { [weak self] in self?.timeIsUp(since: now) }
        let isUnwanted = state.withLock { state in
            guard state.since == now, !state.hasEnded else { return true }
            state.timer = timer
            return false
        }
        if isUnwanted { timer.cancel() }
    }

    private func timeIsUp(since begin: Duration) {
        let isOver = state.withLock { state in
            // Another wait may have begun meanwhile.
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

/// Something took longer than its time-out.
struct FlowTimeout: RetryAdvising, CustomStringConvertible {
    let time: Duration

    var description: String { "timed out after \(time)" }
    var isTransient: Bool { true }
}
