import Dispatch
public import SteplineSupport

/// A clock with a fast path for the system clock, which engines nearly always use.
@usableFromInline
package struct EngineClock: Sendable {
    /// A clock other than the system clock.
    ///
    /// The engine copies its clock at each reading. Copying a reference is cheaper than copying an existential.
    private final class Other: Sendable {
        let clock: any StepClock
        init(_ clock: any StepClock) { self.clock = clock }
    }

    /// Nil for the system clock.
    private let other: Other?

    package init(_ clock: any StepClock) {
        other = clock is SystemClock ? nil : Other(clock)
    }

    package var clock: any StepClock { other?.clock ?? .system }

    private var isSystem: Bool { other == nil }

    /// Returns the current time.
    ///
    /// Don't call this under a lock: the clock may be a user's.
    @usableFromInline
    package func now() -> Instant {
        // A simulation replaces the system clock, so the fast path needs a process without stages.
        isSystem && !Stages.areAny
            ? Instant(nanoseconds: SystemClock.uptimeNanoseconds) : Instant(clock.uptime)
    }

    /// Calls `body` when `delay` has passed since `start`.
    ///
    /// The time between `start` and this call counts. A clock that has already passed the due time calls `body` on
    /// another thread. This thread could otherwise repeat the same decision in a recursion.
    ///
    /// - Parameters:
    ///   - delay: The time to wait.
    ///   - start: The time at which the delay begins.
    ///   - purpose: Whether the delay is a wait or a time limit.
    ///   - body: The closure to call, on the clock's thread.
    /// - Returns: A subscription whose cancellation withdraws the call.
    @usableFromInline
    func schedule(
        after delay: Duration, from start: Instant, for purpose: ClockPurpose,
        _ body: @escaping @Sendable () -> Void
    ) -> Subscription {
        if !isSystem, let clock = clock as? any PunctualClock {
            return clock.schedule(after: delay, from: start.uptime, for: purpose, body)
        }
        let late = max(now() - start, .zero)
        // A manual clock may have been moved past the due time since `start`: call from another thread.
        guard !isSystem, delay > .zero, late >= delay else {
            return clock.schedule(after: max(delay - late, .zero), body)
        }
        DispatchQueue.global().async(execute: body)
        // This call can't be withdrawn. After a withdrawal `Turn.claim` refuses the timer's number instead.
        return Subscription {}
    }
}
