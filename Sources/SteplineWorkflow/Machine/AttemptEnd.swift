import SteplineEngine

/// How an attempt ended.
enum AttemptEnd: Sendable {
    case finished((any Sendable)?)
    /// With the wait before the next attempt, if there is to be one.
    case failed(TaskFailure, retryAfter: Duration?)

    var outcome: Attempt.Outcome {
        switch self {
        case .finished: .success
        case .failed(_, retryAfter: nil): .failure
        case .failed: .failureToRetry
        }
    }
}
