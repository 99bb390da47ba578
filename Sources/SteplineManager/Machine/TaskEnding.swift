import SteplineSupport

/// The outcome of a task in the machine.
enum TaskEnding {
    /// The result of the last attempt.
    case result
    /// An error of the manager or an interceptor.
    case failure(any Error)
    case cancelled(CancellationReason)
}

/// The user values to release after a task's end, without a lock held.
struct TaskLeftovers: Sendable {
    /// The task in its original form, and as changed by interceptors.
    var original: (any AnyObject & Sendable)?
    var current: (any AnyObject & Sendable)?
    /// A result that isn't the outcome.
    var result: (any AnyObject & Sendable)?
}
