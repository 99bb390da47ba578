public import Foundation
public import SteplineSupport

/// A clock for tests that moves only on demand: hours of waiting take no time and keep their order.
///
/// A scheduled call ends a wait (a delay, a back-off, a sleep) or a time limit (a time-out, a deadline, a grace period, a
/// check for stalls, a poll). A clock that runs by itself jumps to waits only, so a time limit never passes unless a wait does.
///
/// The lock protects the heap of calls. `advance` performs due calls on the calling thread, without the lock.
public final class ManualClock: PunctualClock {
    private struct Call {
        let delay: Duration
        /// The identity of a wait's deadline; nil for a time limit.
        var wait: UInt64?
        let body: @Sendable () -> Void
    }

    /// The condition that a test waits for.
    private enum Condition {
        case waits(Int)
        case delay(Duration)
    }

    private struct State {
        var uptime: Duration
        var timers = TimerHeap<Call>()
        /// The deadlines of the calls that are waits.
        var waits = TimerHeap<Void>()
        /// The number of scheduled calls by their delay.
        var delays: [Duration: Int] = [:]
        var waiters: [(condition: Condition, wakeup: OneShot<Void>)] = []

        func holds(_ condition: Condition) -> Bool {
            switch condition {
            case .waits(let count): waits.count >= count
            case .delay(let delay): delays[delay] != nil
            }
        }

        mutating func add(_ call: Call, from start: Duration?, for purpose: ClockPurpose) -> UInt64 {
            var call = call
            let deadline = (start ?? uptime) + call.delay
            delays[call.delay, default: 0] += 1
            if purpose == .wait { call.wait = waits.insert((), deadline: deadline).id }
            return timers.insert(call, deadline: deadline).id
        }

        mutating func forget(_ call: Call) {
            if let wait = call.wait { _ = waits.remove(wait) }
            let left = delays[call.delay, default: 1] - 1
            delays[call.delay] = left > 0 ? left : nil
        }

        mutating func popFirst(dueBy end: Duration) -> (@Sendable () -> Void)? {
            guard let deadline = timers.firstDeadline, deadline <= end else { return nil }
            // The call sees its own deadline as the current time, even if the clock moves further.
            uptime = max(uptime, deadline)
            guard let call = timers.popFirst(dueBy: deadline) else { return nil }
            forget(call)
            return call.body
        }
    }

    private let start: Date
    private let state: Locked<State>
    private let queue: DispatchQueue?

    /// Creates a clock.
    ///
    /// - Parameters:
    ///   - start: The first date.
    ///   - runsByItself: Whether the clock jumps to the end of each wait as soon as the wait begins, on its own thread.
    ///     It doesn't jump to time limits; those that end before the wait does pass. Otherwise only ``advance(by:)``
    ///     moves the clock.
    public init(start: Date = Date(timeIntervalSinceReferenceDate: 0), runsByItself: Bool = false) {
        self.start = start
        state = Locked(State(uptime: .zero))
        queue = runsByItself ? DispatchQueue(label: "stepline.manual-clock") : nil
    }

    /// The current date of the clock.
    public var now: Date { start.addingTimeInterval(uptime.inSeconds) }

    /// The time that the clock was moved since its creation.
    public var uptime: Duration { state.withLock { $0.uptime } }

    /// How many calls are scheduled and have not been made or withdrawn.
    package var scheduledCount: Int { state.withLock { $0.timers.count } }

    /// Calls `body` when the clock is moved to or past the deadline, on the moving thread.
    ///
    /// A move also performs the calls that its calls schedule, if these are due within the move. The call sees its
    /// deadline as the current time. A call without a delay waits for the next move.
    ///
    /// A library timer that counts from an earlier instant may be overdue when it is set. Its call comes soon without a
    /// move, on a Dispatch thread. Cancelling withdraws a call that hasn't been taken for performing.
    @discardableResult
    public func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> Subscription {
        add(Call(delay: max(delay, .zero), body: body), from: nil, for: .wait)
    }

    /// Calls `body` when `delay` has passed since `start`; on a Dispatch thread if the clock is past that time already.
    package func schedule(
        after delay: Duration, from start: Duration?, for purpose: ClockPurpose,
        _ body: @escaping @Sendable () -> Void
    ) -> Subscription {
        add(Call(delay: max(delay, .zero), body: body), from: start, for: purpose)
    }

    private func add(_ call: Call, from start: Duration?, for purpose: ClockPurpose) -> Subscription {
        let (id, wakeups, isLate) = state.withLock { state in
            let id = state.add(call, from: start, for: purpose)
            let waiters = state.waiters
            state.waiters = waiters.filter { !state.holds($0.condition) }
            let isLate = start.map { $0 < state.uptime && $0 + call.delay <= state.uptime } ?? false
            return (id, waiters.filter { state.holds($0.condition) }, isLate)
        }
        // Resumed without the lock: the test may move the clock at once.
        for waiter in wakeups { waiter.wakeup.fulfill(()) }
        if purpose == .wait { queue?.async { [self] in jumpToNextWait() } }
        // The deadline has passed already: no later `advance` would reach it.
        if isLate { DispatchQueue.global().async { [self] in advance(by: .zero) } }
        return Subscription { [state] in
            // Remove under the lock, release after unlock.
            _ = state.withLock { state in
                let call = state.timers.remove(id)
                if let call { state.forget(call) }
                return call
            }
        }
    }

    /// Moves the clock and performs the calls that become due, each at its own time.
    public func advance(by duration: Duration) { advance(to: state.withLock { $0.uptime + duration }) }

    private func advance(to end: Duration) {
        // Set the final time in the transaction that finds no further call: a call scheduled afterwards counts from
        // there.
        func next() -> (@Sendable () -> Void)? {
            state.withLock { state in
                if let body = state.popFirst(dueBy: end) { return body }
                state.uptime = max(state.uptime, end)
                return nil
            }
        }
        while let body = next() { body() }
    }

    /// Suspends until at least the given number of waits is scheduled, so a test can move the clock.
    ///
    /// Time limits don't count: use ``waitForScheduled(after:)`` for them. The call also returns when the Swift task is
    /// cancelled, so a test's time limit works.
    public func waitForScheduled(_ count: Int = 1) async {
        await wait(for: .waits(count))
    }

    /// Suspends until a wait or a time limit of exactly this length is scheduled, regardless of others.
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

    private func jumpToNextWait() {
        if let next = state.withLock({ $0.waits.firstDeadline }) { advance(to: next) }
    }
}
