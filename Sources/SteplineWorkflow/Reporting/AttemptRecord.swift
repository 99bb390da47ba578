public import struct Foundation.Date

/// The record of an attempt.
///
/// A workflow keeps records if ``WorkflowOptions/keptAttempts`` is positive.
public struct AttemptRecord: Sendable {
    /// The end of an attempt.
    public enum Ending: String, Sendable, Hashable, Codable, CustomStringConvertible {
        /// The attempt hasn't ended.
        case executing
        /// The attempt had a result.
        case finished
        /// The attempt failed, and no attempt followed.
        case failed
        /// The attempt failed, and another one follows.
        case retried
        /// The attempt was cancelled.
        case cancelled
        /// The task was reset.
        case reset

        /// The end as text, such as `Finished`.
        public var description: String {
            switch self {
            case .executing: "Executing"
            case .finished: "Finished"
            case .failed: "Failed"
            case .retried: "Failed, tried again"
            case .cancelled: "Cancelled"
            case .reset: "Reset"
            }
        }
    }

    /// A time between the start of a task and the begin of its body.
    public struct Wait: Sendable, Hashable {
        /// The cause of the wait.
        public let cause: WaitCause
        /// The duration of the wait.
        public let duration: Duration

        /// Creates a wait for comparisons.
        ///
        /// - Parameters:
        ///   - cause: The cause of the wait.
        ///   - duration: The duration of the wait.
        public init(cause: WaitCause, duration: Duration) {
            self.cause = cause
            self.duration = duration
        }
    }

    /// The task.
    public let task: RunReport.TaskName
    /// The number of the attempt, from 1.
    public let number: Int
    /// The time at which the body began.
    public let begin: Date
    /// The time at which the attempt ended; nil if it hasn't.
    public let end: Date?
    /// The kind of end.
    public let ending: Ending
    /// The error of a failed attempt, unchanged.
    public let error: (any Error)?
    /// The waits between the start and the begin, in order.
    public let waits: [Wait]
    /// The worker that ran the attempt; nil for the workflow's own process.
    public let worker: String?

    /// The begin, in nanoseconds of the clock's uptime.
    package let beginTime: Int64
    /// The end, or the last known time of a running attempt.
    package let endTime: Int64

    package init(
        task: RunReport.TaskName, number: Int, begin: Date, end: Date?, ending: Ending,
        error: (any Error)?, waits: [Wait], worker: String? = nil, beginTime: Int64, endTime: Int64
    ) {
        self.task = task
        self.number = number
        self.begin = begin
        self.end = end
        self.ending = ending
        self.error = error
        self.waits = waits
        self.worker = worker
        self.beginTime = beginTime
        self.endTime = endTime
    }

    /// The duration; for a running attempt, until the last event of the workflow.
    public var duration: Duration { .nanoseconds(endTime - beginTime) }

    /// The sum of all waits, between the start with satisfied prerequisites and the begin.
    public var waited: Duration { waits.reduce(.zero) { $0 + $1.duration } }
}

/// The cause of a wait between a task's start and its begin.
public struct WaitCause: Sendable, Hashable, CustomStringConvertible {
    /// The cause as text, such as `a thread`.
    public let description: String

    /// The task waits for a free thread.
    public static let thread = WaitCause(description: "a thread")
    /// The task waits in its operation queue.
    public static let queue = WaitCause(description: "its operation queue")
    /// The task waits for the workflow's concurrency limit.
    public static let limit = WaitCause(description: "the workflow's limit")
    /// The task waits for slots in its pools.
    public static let pools = WaitCause(description: "a place in its pools")
    /// The task waits for the back-off of its retry policy.
    public static let backoff = WaitCause(description: "its back-off")
    /// The task waits for the end of its previous body, which was stopped.
    public static let lastBody = WaitCause(description: "the end of its last body")
}
