import SteplineEngine

/// How an attempt ended.
enum AttemptResult: Sendable {
    case finished((any Sendable)?)
    /// With the wait before the next attempt; nil if there is none.
    case failed(TaskFailure, retryAfter: Duration?)

    var outcome: Attempt.Outcome {
        switch self {
        case .finished: .success
        case .failed(_, retryAfter: nil): .failure
        case .failed: .failureToRetry
        }
    }
}
