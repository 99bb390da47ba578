/// What an attempt has come to; whether it is tried again was decided before, since that asks the user's code.
enum AttemptVerdict {
    case succeeded(Content)
    /// The step or its body was cancelled; what it made all the same, if anything.
    case cancelled(Content?)
    /// With the bag that the step leaves behind all the same, if it isn't the one it got.
    case failed(PipelineError, cause: any Error, leaving: Content?, retryAfter: Duration?)
}
