/// The end of an attempt.
enum AttemptEnd: Sendable {
    case succeeded(Content)
    /// The step or its body was cancelled; the content that the body left, if any.
    case cancelled(Content?)
    /// The error, and the content for failure callbacks if it differs from the step's input.
    case failed(any Error, leaving: Content? = nil)
}
