/// How an attempt ended.
enum AttemptEnd: Sendable {
    case succeeded(Content)
    /// The step or its body was cancelled; what it made all the same, if anything.
    case cancelled(Content?)
    /// The error, and the bag that failure callbacks are to find if it isn't the one the step got.
    case failed(any Error, leaving: Content? = nil)
}
