public import Foundation
public import SteplineSupport

/// A clock that stands still until a test moves it: hours of waiting pass in no time, in the right order.
public final class ManualClock: PunctualClock {
    private struct Call {
        let delay: Duration
        let body: @Sendable () -> Void
    }

    /// What somebody waits for.
    private enum Condition {
        case count(Int)
        case delay(Duration)
    }

    private struct State {
        var uptime: Duration
        var timers = TimerHeap<Call>()
        var count = 0
        /// How many of the scheduled calls were put off by so much.
        var delays: [Duration: Int] = [:]
        var waiters: [(condition: Condition, wakeup: OneShot<Void>)] = []

        func holds(_ condition: Condition) -> Bool {
            switch condition {
            case .count(let count): self.count >= count
            case .delay(let delay): delays[delay] != nil
            }
        }

        mutating func add(_ call: Call, from start: Duration?) -> UInt64 {
            count += 1
            delays[call.delay, default: 0] += 1
            return timers.insert(call, deadline: (start ?? uptime) + call.delay).id
        }

        mutating func forget(_ call: Call) {
            count -= 1
            let left = delays[call.delay, default: 1] - 1
            delays[call.delay] = left > 0 ? left : nil
        }

        mutating func popFirst(dueBy end: Duration) -> (@Sendable () -> Void)? {
            guard let deadline = timers.firstDeadline, deadline <= end else { return nil }
            uptime = max(uptime, deadline)
            guard let call = timers.popFirst(dueBy: deadline) else { return nil }
            forget(call)
            return call.body
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
    package var scheduledCount: Int { state.withLock { $0.count } }

    /// Calls `body` when the clock is moved past the deadline, on the thread that moves it.
    @discardableResult
    public func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> Subscription {
        add(Call(delay: max(delay, .zero), body: body), from: nil)
    }

    package func schedule(
        after delay: Duration, from start: Duration, _ body: @escaping @Sendable () -> Void
    ) -> Subscription {
        add(Call(delay: max(delay, .zero), body: body), from: start)
    }

    private func add(_ call: Call, from start: Duration?) -> Subscription {
        let (id, wakeups, isLate) = state.withLock { state in
            let id = state.add(call, from: start)
            let waiters = state.waiters
            state.waiters = waiters.filter { !state.holds($0.condition) }
            let isLate = start.map { $0 < state.uptime && $0 + call.delay <= state.uptime } ?? false
            return (id, waiters.filter { state.holds($0.condition) }, isLate)
        }
        for waiter in wakeups { waiter.wakeup.fulfill(()) }
        queue?.async { [self] in jumpToNextDeadline() }
        // Nobody who has moved it on will move it past that deadline again.
        if isLate { DispatchQueue.global().async { [self] in advance(by: .zero) } }
        return Subscription { [state] in
            // Taken out under the lock, released after it.
            _ = state.withLock { state in
                let call = state.timers.remove(id)
                if let call { state.forget(call) }
                return call
            }
        }
    }

    /// Moves the clock, and makes the calls that become due on the way, each at its own time.
    public func advance(by duration: Duration) {
        let end = state.withLock { $0.uptime + duration }
        // It is there in the same moment as nothing more is found: what is set then counts from there.
        func next() -> (@Sendable () -> Void)? {
            state.withLock { state in
                if let body = state.popFirst(dueBy: end) { return body }
                state.uptime = max(state.uptime, end)
                return nil
            }
        }
        while let body = next() { body() }
    }

    /// Waits until at least so many calls are scheduled: the moment at which a test may move the clock.
    ///
    /// Or until the Swift task is cancelled, so that a test which has a time limit ends by it.
    public func waitForScheduled(_ count: Int = 1) async {
        await wait(for: .count(count))
    }

    /// Waits until a call with just this delay is scheduled, whatever else is.
    ///
    /// Where several things keep time on one clock, this tells them apart: an idle time-out beside a back-off, say, or
    /// the grace of a body that a test has failed before it returned, which comes before the back-off.
    public func waitForScheduled(after delay: Duration) async {
        await wait(for: .delay(delay))
    }

    private func wait(for condition: Condition) async {
        let wakeup = OneShot<Void>()
        let isReached = state.withLock { state in
            guard !state.holds(condition) else { return true }
            state.waiters.append((condition, wakeup))
            return false
        }
        if !isReached { await wakeup.valueOrCancellation() }
    }

    private func jumpToNextDeadline() {
        guard let next = state.withLock({ $0.timers.firstDeadline }) else { return }
        advance(by: max(next - uptime, .zero))
    }
}
