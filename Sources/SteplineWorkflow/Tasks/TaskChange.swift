import SteplineSupport

/// A change of a task to be told, with the task as it was then.
final class TaskChange: Sendable {
    enum Kind: Sendable {
        case started, finished, failed, cancelled(CancellationReason), reset, retried, ready, attemptFailed

        /// Whether a task's class has a method for it.
        var hasHook: Bool {
            switch self {
            case .finished, .failed, .cancelled, .reset, .retried: true
            case .started, .ready, .attemptFailed: false
            }
        }
    }

    let kind: Kind
    let change: WorkflowTask.Change
    /// The number of its event: who came later isn't told.
    let event: Int

    init(_ kind: Kind, _ change: WorkflowTask.Change, event: Int) {
        self.kind = kind
        self.change = change
        self.event = event
    }
}
