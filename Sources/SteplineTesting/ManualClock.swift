public import Foundation
public import SteplineSupport

/// A clock that stands still until a test moves it: hours of waiting pass in no time, in the right order.
public final class ManualClock: StepClock {
    private struct State {
        var uptime: Duration
        var timers = TimerHeap<@Sendable () -> Void>()
        var count = 0
        var waiters: [(count: Int, wakeup: CheckedContinuation<Void, Never>)] = []

        mutating func popFirst(dueBy end: Duration) -> (@Sendable () -> Void)? {
            guard let deadline = timers.firstDeadline, deadline <= end else { return nil }
            uptime = max(uptime, deadline)
            count -= 1
            return timers.popFirst(dueBy: deadline)
        }
    }

    private let start: Date
    private let state: Locked<State>
    private let queue: DispatchQueue?

    /// Makes a clock that shows `start`.
    ///
    /// With `runsByItself` it jumps to each deadline as soon as something is scheduled, on a thread of its own;
    /// otherwise only ``advance(by:)`` moves it.
    public init(start: Date = Date(timeIntervalSinceReferenceDate: 0), runsByItself: Bool = false) {
        self.start = start
        state = Locked(State(uptime: .zero))
        queue = runsByItself ? DispatchQueue(label: "stepline.manual-clock") : nil
    }

    /// The date it shows.
    public var now: Date { start.addingTimeInterval(uptime.inSeconds) }

    /// How far it has been moved since it was made.
    public var uptime: Duration { state.withLock { $0.uptime } }

    /// How many calls are scheduled and have not been made or withdrawn.
    public var scheduledCount: Int { state.withLock { $0.count } }

    /// Calls `body` when the clock is moved past the deadline, on the thread that moves it.
    @discardableResult
    public func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> Subscription {
        let (id, wakeups) = state.withLock { state in
            state.count += 1
            let (id, _) = state.timers.insert(body, deadline: state.uptime + max(delay, .zero))
            let count = state.count
            let woken = state.waiters.filter { $0.count <= count }
            state.waiters.removeAll { $0.count <= count }
            return (id, woken)
        }
        for waiter in wakeups { waiter.wakeup.resume() }
        queue?.async { [self] in jumpToNextDeadline() }
        return Subscription { [state] in
            // Taken out under the lock, released after it.
            _ = state.withLock { state in
                let body = state.timers.remove(id)
                if body != nil { state.count -= 1 }
                return body
            }
        }
    }

    /// Moves the clock, and makes the calls that become due on the way, each at its own time.
    public func advance(by duration: Duration) {
        let end = state.withLock { $0.uptime + duration }
        while let body = state.withLock({ $0.popFirst(dueBy: end) }) { body() }
        state.withLock { $0.uptime = max($0.uptime, end) }
    }

    /// Waits until at least so many calls are scheduled: the moment at which a test may move the clock.
    public func waitForScheduled(_ count: Int = 1) async {
        await withCheckedContinuation { wakeup in
            let isReached = state.withLock { state in
                guard state.count < count else { return true }
                state.waiters.append((count, wakeup))
                return false
            }
            if isReached { wakeup.resume() }
        }
    }

    private func jumpToNextDeadline() {
        guard let next = state.withLock({ $0.timers.firstDeadline }) else { return }
        advance(by: max(next - uptime, .zero))
    }
}
