package import SteplineEngine
package import SteplineSupport

package import struct Foundation.Date

/// One change of a task for the journal of a durable run.
package final class JournalEntry: Sendable {
    package enum Kind: Sendable {
        /// An attempt has begun.
        case began
        /// An attempt waits for a condition, within a time that counts from the date, or from now.
        case awaits(since: Date?)
        /// An attempt has a result, which counts once it is recorded.
        case finished((any Sendable)?)
        /// An attempt has failed for good, which counts once it is recorded.
        case failed((any Error)?)
        /// An attempt has failed, and another follows after that time.
        case retries((any Error)?, after: Duration)
        /// The task was cancelled, and perhaps an attempt with it.
        case cancelled(CancellationReason, wasRunning: Bool)
        /// The task was reset: no earlier attempt counts any more.
        case cleared
        /// A condition was fulfilled.
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
    /// Whether the recording thread may block: it has just run the synchronous closure whose end this awaited entry is.
    ///
    /// The thread is a worker, or belongs to the user's executor or operation queue.
    package let mayBlock: Bool
    /// Whether the workflow waits until the entry is recorded.
    package let isAwaited: Bool
    /// Whether the attempt has finished, or failed for good.
    package let isEnd: Bool
    /// The body that waits until its begin is recorded, if one does.
    let job: TaskJob?

    init(
        _ kind: Kind, at time: Instant, _ number: Int32, _ attempt: Attempt, skipped: UInt32 = 0,
        job: TaskJob? = nil,
        isAwaited: Bool = false, mayBlock: Bool = false
    ) {
        // A body that waits for the record of its begin begins by the answer.
        self.isAwaited = isAwaited || job != nil
        self.mayBlock = mayBlock
        self.kind = kind
        isEnd =
            switch kind {
            case .finished, .failed: true
            case .began, .awaits, .retries, .cancelled, .cleared, .fulfilled: false
            }
        self.time = time
        self.number = Int(number)
        self.attempt = Int(attempt.number) + Int(skipped)
        failures = Int(attempt.failures)
        self.job = job
    }
}
