import Dispatch
package import SteplineSupport

/// A clock as engines read it: often, and nearly always the system's.
@usableFromInline
package struct EngineClock: Sendable {
    package let clock: any StepClock
    private let isSystem: Bool

    package init(_ clock: any StepClock) {
        self.clock = clock
        isSystem = clock is SystemClock
    }

    /// The moment now; reads the user's clock, so it must not be called under a lock.
    @usableFromInline
    package func now() -> Instant {
        isSystem && !Stages.areAny
            ? Instant(nanoseconds: Int64(clamping: DispatchTime.now().uptimeNanoseconds))
            : Instant(clock.uptime)
    }

    /// Calls `body` once so much time has passed since `start`, however late the clock is asked.
    ///
    /// A clock that somebody has moved on between a decision and its timer makes the call on another thread: this one
    /// may be about to decide the same again.
    func schedule(
        after delay: Duration, from start: Instant, _ body: @escaping @Sendable () -> Void
    ) -> Subscription {
        if !isSystem, let clock = clock as? any PunctualClock {
            return clock.schedule(after: delay, from: start.uptime, body)
        }
        let late = max(now() - start, .zero)
        guard !isSystem, delay > .zero, late >= delay else {
            return clock.schedule(after: max(delay - late, .zero), body)
        }
        DispatchQueue.global().async(execute: body)
        return Subscription {}
    }
}
