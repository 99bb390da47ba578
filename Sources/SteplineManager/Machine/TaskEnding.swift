import SteplineSupport

/// What a task ended with.
enum TaskEnding {
    /// The result of its last attempt.
    case result
    /// An error of the manager's, or an interceptor's.
    case failure(any Error)
    case cancelled(CancellationReason)
}

/// What is let go when a task has ended: it is a user's, so no lock may be held then.
struct TaskLeftovers: Sendable {
    /// The task as it was added, and as interceptors have changed it.
    var original: (any AnyObject & Sendable)?
    var current: (any AnyObject & Sendable)?
    /// A result that doesn't count.
    var result: (any AnyObject & Sendable)?
}
