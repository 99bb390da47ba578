public import struct Foundation.Date

/// One attempt of a task, as it was recorded.
///
/// A workflow keeps them if its ``WorkflowOptions/keptAttempts`` says so.
public struct AttemptRecord: Sendable {
    /// How an attempt has ended.
    public enum Ending: String, Sendable, Hashable, Codable, CustomStringConvertible {
        /// It has not ended.
        case executing
        /// With a result.
        case finished
        /// With an error, for good.
        case failed
        /// With an error, and another attempt followed or is to follow.
        case retried
        /// It was cancelled.
        case cancelled
        /// Its task was reset.
        case reset

        /// The word for people, such as `Finished`.
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

    /// A time before the body began in which something kept it from that.
    public struct Wait: Sendable, Hashable {
        /// What it waited for.
        public let cause: WaitCause
        /// How long.
        public let duration: Duration

        /// Makes one, to compare with.
        public init(cause: WaitCause, duration: Duration) {
            self.cause = cause
            self.duration = duration
        }
    }

    /// Which task.
    public let task: RunReport.TaskName
    /// The number of the attempt, from 1.
    public let number: Int
    /// When its body began.
    public let begin: Date
    /// When it ended; nil if it hadn't.
    public let end: Date?
    /// How it ended.
    public let ending: Ending
    /// What it failed with, as it was given.
    public let error: (any Error)?
    /// What it waited for before it began, once it had been started, in order.
    public let waits: [Wait]
    /// The worker that has run it; nil if the process did whose workflow it is of.
    public let worker: String?

    /// When it began, in nanoseconds of the clock's uptime.
    package let beginTime: Int64
    /// When it ended, or until when it is known to have run.
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

    /// How long it took; of one that still ran, until the last thing that happened in the workflow.
    public var duration: Duration { .nanoseconds(endTime - beginTime) }

    /// How long it waited in all, between having been started with its prerequisites satisfied and its begin.
    public var waited: Duration { waits.reduce(.zero) { $0 + $1.duration } }
}

/// What keeps a task from beginning that is Ready and started.
public struct WaitCause: Sendable, Hashable, CustomStringConvertible {
    /// What it waits for, such as `a thread`.
    public let description: String

    /// A thread that is free.
    public static let thread = WaitCause(description: "a thread")
    /// Its turn in the operation queue that it was handed to.
    public static let queue = WaitCause(description: "its operation queue")
    /// The end of a body, as no more may be live at a time.
    public static let limit = WaitCause(description: "the workflow's limit")
    /// Places in its pools.
    public static let pools = WaitCause(description: "a place in its pools")
    /// The time that its retry policy lets pass after a failure.
    public static let backoff = WaitCause(description: "its back-off")
    /// The end of its last body, which was stopped.
    public static let lastBody = WaitCause(description: "the end of its last body")
}
