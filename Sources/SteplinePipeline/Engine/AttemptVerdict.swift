/// The result of an attempt, including whether it is retried; computed without the lock, because retry policies are
/// user code.
enum AttemptVerdict {
    case succeeded(Content)
    /// The step or its body was cancelled; the content that the body left, if any.
    case cancelled(Content?)
    /// The attempt failed; `leaving` is the content that replaces the current one, if any.
    case failed(PipelineError, cause: any Error, leaving: Content?, retryAfter: Duration?)
}
