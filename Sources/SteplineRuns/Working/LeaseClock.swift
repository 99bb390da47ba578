package import Dispatch
package import SteplineSupport

package import struct Foundation.Date

/// The clock of leases and heartbeats, unless a test injects another one.
///
/// Its uptime also counts while the machine sleeps, because the lease that a server keeps expires then too.
/// `SystemClock.uptime` stands still during that time. Dates and timers are those of the system's clock.
package struct LeaseClock: StepClock {
    private static let start = ContinuousClock.now

    package init() {}

    package var now: Date { SystemClock.shared.now }

    package var uptime: Duration { Self.start.duration(to: .now) }

    @discardableResult
    package func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> Subscription {
        SystemClock.shared.schedule(after: delay, body)
    }
}

extension StepClock where Self == LeaseClock {
    /// The clock that also counts while the machine sleeps.
    package static var lease: LeaseClock { LeaseClock() }
}

extension DispatchSemaphore {
    /// Blocks the thread until a signal, or until the uptime of `clock` is `date`; may return early.
    ///
    /// The machine's own clocks need no timer. A timer of theirs calls on a thread of Dispatch, and blocking bodies can
    /// use up all of those: a worker would miss its heartbeat.
    package func wait(until date: Duration, by clock: any StepClock) {
        let start = clock.uptime
        let time = date - start
        if clock is LeaseClock || clock is SystemClock {
            _ = wait(timeout: .now() + .nanoseconds(Int(time.wholeNanoseconds)))
            return
        }
        guard time > .zero else { return }
        let ring: @Sendable () -> Void = { [self] in signal() }
        // A test may advance the clock between the two lines. The deadline must not move with it.
        let timer =
            (clock as? any PunctualClock)?.schedule(after: time, from: start, for: .background, ring)
            ?? clock.schedule(after: time, ring)
        wait()
        timer.cancel()
    }
}
