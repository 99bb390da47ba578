package import SteplineSupport

package import struct Foundation.Date

/// What bounds an attempt, under the one set of names that all layers use.
package struct AttemptLimits: Sendable {
    /// How often failures are followed by another attempt.
    package var retry: RetryPolicy
    /// How long one attempt may take.
    package var timeout: Duration?
    /// How long all attempts and the waits between them may take.
    package var deadline: Duration?
    /// How long the next attempt waits for an old body to end.
    package var grace: Duration
    /// After how long a body that goes on is told of, again at each doubling.
    package var watchdog: Duration?

    /// The `grace` of all layers, unless somebody says otherwise.
    package static let defaultGrace = Duration.seconds(5)

    package init(
        retry: RetryPolicy = .none, timeout: Duration? = nil, deadline: Duration? = nil,
        grace: Duration = AttemptLimits.defaultGrace, watchdog: Duration? = nil
    ) {
        self.retry = retry
        self.timeout = timeout
        self.deadline = deadline
        self.grace = grace
        self.watchdog = watchdog
    }

    /// How long to wait before another attempt; nil if there is to be none.
    ///
    /// Asks the user's policy, so it must not be called under a lock.
    package func wait(afterFailures earlier: UInt16, _ error: any Error, now: Date) -> Duration? {
        guard retry.attempts > Int(earlier) + 1 else { return nil }
        return retry.delay(afterAttempt: Int(earlier) + 1, failedWith: error, now: now)
    }
}

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
