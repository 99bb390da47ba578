import Dispatch
import SteplineSupport

/// Growing pauses between attempts to reach a server that is away, until patience is at an end.
struct Pauses {
    private let end: ContinuousClock.Instant?
    private var next = Duration.milliseconds(20)

    /// For ever if no patience is given.
    init(_ patience: Duration? = nil) { end = patience.map { .now + $0 } }

    /// Waits, until the bell rings if there is one; false if that has been for long enough.
    mutating func wait(for bell: DispatchSemaphore = DispatchSemaphore(value: 0)) -> Bool {
        let rest = end.map { $0 - .now } ?? next
        guard rest > .zero else { return false }
        Self.wait(min(next, rest), for: bell)
        next = min(next * 2, .seconds(5))
        return true
    }

    static func wait(_ time: Duration, for bell: DispatchSemaphore = DispatchSemaphore(value: 0)) {
        _ = bell.wait(timeout: .now() + .nanoseconds(Int(time / .nanoseconds(1))))
    }
}
