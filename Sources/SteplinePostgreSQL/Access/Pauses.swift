import Dispatch
import SteplineRuns
import SteplineSupport

/// Exponential back-off between attempts to reach a server, until patience ends.
struct Pauses {
    private let clock: any StepClock
    /// The uptime at which patience ends; nil for never.
    private let end: Duration?
    private var next = Duration.milliseconds(20)

    /// Creates the back-off; waits forever if no patience is given.
    init(_ patience: Duration? = nil, clock: any StepClock) {
        self.clock = clock
        end = patience.map { clock.uptime + $0 }
    }

    /// Waits for the next pause or a signal of `bell`; returns false if patience has ended.
    mutating func wait(for bell: DispatchSemaphore = DispatchSemaphore(value: 0)) -> Bool {
        let now = clock.uptime
        // Without a limit the next pause is short enough.
        let rest = end.map { $0 - now } ?? next
        guard rest > .zero else { return false }
        bell.wait(until: now + min(next, rest), by: clock)
        next = min(next * 2, .seconds(5))
        return true
    }

    /// Waits for a short time by the system's clock.
    static func wait(_ time: Duration) {
        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .nanoseconds(Int(time.wholeNanoseconds)))
    }
}
