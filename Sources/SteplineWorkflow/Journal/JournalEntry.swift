package import SteplineEngine
package import SteplineSupport

package import struct Foundation.Date

/// Something that has become of a task.
package final class JournalEntry: Sendable {
    package enum Kind: Sendable {
        /// An attempt has begun.
        case began
        /// An attempt waits for a condition, within a time that counts from the date, or from now.
        case awaits(since: Date?)
        /// An attempt has its result, which nobody knows until it is kept.
        case finished((any Sendable)?)
        /// An attempt has failed for good, which nobody knows until it is kept.
        case failed((any Error)?)
        /// An attempt has failed, and another follows after that time.
        case retries((any Error)?, after: Duration)
        /// It was cancelled, and perhaps an attempt with it.
        case cancelled(CancellationReason, wasRunning: Bool)
        /// What all attempts so far have done counts no longer.
        case cleared
        /// A condition was fulfilled that nobody has waited for yet.
        case fulfilled((any Sendable)?)
    }

    package let kind: Kind
    /// When the workflow decided it, by its clock.
    package let time: Instant
    /// The task's number in its workflow.
    package let number: Int
    package let attempt: Int
    /// How many attempts have failed before.
    package let failures: Int
    /// Whether the thread that records it is one of the workflow's own, and may be held up as by a body.
    package let mayBlock: Bool
    /// Whether the workflow waits until it is kept.
    package let isAwaited: Bool
    /// The body that waits until its begin is kept, if it does.
    let job: TaskJob?

    init(
        _ kind: Kind, at time: Instant, _ number: Int32, _ attempt: Attempt, skipped: UInt32 = 0,
        job: TaskJob? = nil,
        isAwaited: Bool = false, mayBlock: Bool = false
    ) {
        self.isAwaited = isAwaited || job != nil
        self.mayBlock = mayBlock
        self.kind = kind
        self.time = time
        self.number = Int(number)
        self.attempt = Int(attempt.number) + Int(skipped)
        failures = Int(attempt.failures)
        self.job = job
    }
}
