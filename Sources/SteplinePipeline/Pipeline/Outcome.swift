/// How a pipeline ended.
public enum Outcome: Sendable, CustomStringConvertible {
    /// All steps have succeeded.
    case succeeded
    /// A step failed, or the time was over.
    case failed(PipelineError)
    /// It was cancelled.
    case cancelled(CancellationReason)

    /// The outcome in a word, and what it came from.
    public var description: String {
        switch self {
        case .succeeded: "succeeded"
        case .failed(let error): "failed: \(error)"
        case .cancelled(let reason): "cancelled: \(reason)"
        }
    }
}
