public import SteplineSupport

public import struct Foundation.Date

/// Something that happened in a pipeline.
///
/// What an event tells can already be read from the pipeline when it is received.
public struct PipelineEvent: Sendable, Codable, Hashable {
    /// The number of the event in this pipeline, from 1.
    ///
    /// Events that nobody listened to are counted too.
    public let number: Int
    /// When it happened, by the pipeline's clock.
    public let time: Date
    /// The pipeline's id.
    public let pipeline: String
    /// What happened.
    public let kind: Kind

    /// The kinds of events.
    public enum Kind: Sendable, Codable, Hashable {
        /// The pipeline was started.
        case started
        /// A step's body is about to run.
        case stepStarted(StepPosition, attempt: Int)
        /// A step told of its progress; the fraction is nil if the total isn't known.
        case progressed(StepPosition, fraction: Double?, completed: Int64?, total: Int64?)
        /// An attempt failed; another follows after the wait.
        case retrying(StepPosition, failedAttempt: Int, error: String, wait: Duration)
        /// A step hasn't ended for as long as the watchdog allows.
        case stalled(StepPosition, attempt: Int, waiting: Duration)
        /// A step has ended.
        case stepEnded(StepPosition, attempt: Int, StepOutcome, duration: Duration)
        /// The pipeline was cancelled, and waits for a body to end.
        case cancelling(CancellationReason)
        /// The pipeline has ended: the last event.
        case ended(End)
    }

    /// How a step ended.
    public enum StepOutcome: Sendable, Codable, Hashable {
        /// Its bag went on.
        case succeeded
        /// It ended with this error.
        case failed(String)
        /// It was cancelled.
        case cancelled
    }

    /// How the pipeline ended.
    public enum End: Sendable, Codable, Hashable {
        /// All steps have succeeded.
        case succeeded
        /// With this error.
        case failed(String)
        /// For this reason.
        case cancelled(CancellationReason)
    }
}

extension PipelineEvent.End {
    init(_ outcome: Outcome<Content>) {
        self =
            switch outcome {
            case .success: .succeeded
            // The pipeline's own error, whose text asks nobody.
            case .failure(let error): .failed((error as? PipelineError)?.description ?? "")
            case .cancelled(let reason): .cancelled(reason)
            }
    }
}
