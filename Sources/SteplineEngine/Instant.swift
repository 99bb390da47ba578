import SteplineSupport

/// A time on a clock's monotonic scale, in nanoseconds, half the size of a `Duration`.
///
/// The range is 292 years; later times are clamped to the maximum.
@frozen
@usableFromInline
package struct Instant: Comparable, Hashable, Sendable {
    @usableFromInline package let nanoseconds: Int64

    @inlinable
    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    package init(_ uptime: Duration) { nanoseconds = uptime.wholeNanoseconds }

    /// The time since the clock's zero.
    package var uptime: Duration { .nanoseconds(nanoseconds) }

    @usableFromInline package static let zero = Instant(nanoseconds: 0)

    @inlinable
    package static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }

    package static func + (moment: Instant, wait: Duration) -> Instant {
        let (sum, isPast) = moment.nanoseconds.addingReportingOverflow(wait.wholeNanoseconds)
        return Instant(nanoseconds: isPast ? .max : sum)
    }

    package static func - (later: Instant, earlier: Instant) -> Duration {
        .nanoseconds(later.nanoseconds &- earlier.nanoseconds)
    }
}
