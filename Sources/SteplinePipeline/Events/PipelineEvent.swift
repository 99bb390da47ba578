public import SteplineSupport

public import struct Foundation.Date

/// An event of a pipeline.
///
/// The state that an event reports is visible in the pipeline before the event arrives.
public struct PipelineEvent: Sendable, Codable, Hashable {
    /// The number of the event in its pipeline, from 1.
    ///
    /// Events without a reader are counted too.
    public let number: Int
    /// The time of the event, by the pipeline's clock.
    public let time: Date
    /// The pipeline's id.
    public let pipeline: String
    /// The kind of the event.
    public let kind: Kind

    /// The kinds of events.
    public enum Kind: Sendable, Codable, Hashable {
        /// The pipeline was started.
        case started
        /// A step's body is about to run.
        case stepStarted(StepPosition, attempt: Int)
        /// A step reported its progress; the fraction is nil if the total is unknown.
        case progressed(StepPosition, fraction: Double?, completed: Int64?, total: Int64?)
        /// An attempt failed; another one follows after the wait.
        case retrying(StepPosition, failedAttempt: Int, error: String, wait: Duration)
        /// A step has run or waited longer than the watchdog interval.
        case stalled(StepPosition, attempt: Int, waiting: Duration)
        /// A step has ended.
        case stepEnded(StepPosition, attempt: Int, StepOutcome, duration: Duration)
        /// The pipeline was cancelled and waits for a body to end.
        case cancelling(CancellationReason)
        /// The pipeline has ended; no event follows.
        case ended(End)
    }

    /// The outcome of a step.
    public enum StepOutcome: Sendable, Codable, Hashable {
        /// The next step received its content.
        case succeeded
        /// The step failed with this error.
        case failed(String)
        /// The step was cancelled.
        case cancelled
    }

    /// The outcome of the pipeline.
    public enum End: Sendable, Codable, Hashable {
        /// All steps have succeeded.
        case succeeded
        /// The pipeline failed with this error.
        case failed(String)
        /// The pipeline was cancelled for this reason.
        case cancelled(CancellationReason)
    }
}

extension PipelineEvent.End {
    init(_ outcome: Outcome<Content>) {
        self =
            switch outcome {
            case .success: .succeeded
            // The description of a `PipelineError` calls no user code; this matters under the lock.
            case .failure(let error): .failed((error as? PipelineError)?.description ?? "")
            case .cancelled(let reason): .cancelled(reason)
            }
    }
}
