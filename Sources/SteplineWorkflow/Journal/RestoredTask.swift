package import struct Foundation.Date

/// How a task stood when its run was interrupted.
package struct RestoredTask: Sendable {
    package enum State: Sendable {
        /// The task runs.
        case open
        /// A condition whose time-out and deadline count from that date.
        case awaiting(since: Date)
        /// Its next attempt begins after that time.
        case waiting(Duration)
        case finished((any Sendable)?)
        case failed(any Error)
        case cancelled
    }

    package let number: Int
    package internal(set) var state: State
    /// The number of its last attempt.
    package let attempt: Int
    /// How many attempts have failed since it was last asked for by hand.
    package let failures: Int
    /// When it finished or failed.
    package let ended: Date
    /// A pool that its attempts take a place of, besides their own.
    package let pool: ConcurrencyPool?

    package init(
        _ number: Int, _ state: State, attempt: Int, failures: Int, ended: Date, pool: ConcurrencyPool? = nil
    ) {
        self.number = number
        self.state = state
        self.attempt = attempt
        self.failures = failures
        self.ended = ended
        self.pool = pool
    }
}
