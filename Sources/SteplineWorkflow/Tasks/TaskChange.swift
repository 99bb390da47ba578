import SteplineSupport

/// A change of a task to report, with the task's state at that moment.
final class TaskChange: Sendable {
    enum Kind: Sendable {
        case started, finished, failed, cancelled(CancellationReason), reset, retried, ready, attemptFailed

        /// Whether the task's class has a method for the change.
        var hasHook: Bool {
            switch self {
            // Only these changes have an overridable method in `WorkflowTask`.
            case .finished, .failed, .cancelled, .reset, .retried: true
            case .started, .ready, .attemptFailed: false
            }
        }
    }

    let kind: Kind
    let change: WorkflowTask.Change
    /// The number of the change's event; later listeners don't receive the change.
    let event: Int

    init(_ kind: Kind, _ change: WorkflowTask.Change, event: Int) {
        self.kind = kind
        self.change = change
        self.event = event
    }
}
