/// What an attempt's timers are for.
@usableFromInline
package enum AttemptTimer: UInt8, Sendable, Hashable, CaseIterable {
    /// The time of one attempt.
    case timeout
    /// The time of all attempts.
    case deadline
    /// The wait for an old body.
    case grace
    /// The wait before the next attempt.
    case backOff
    /// The next look whether a body still goes on.
    case watchdog
}
