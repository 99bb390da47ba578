import SteplineEngine
import SteplineSupport

/// One change of a task's state, as listeners get it that are called after unlock.
///
/// The machine makes a transition right after it has stored the new state, and hands it on in one place:
/// ``WorkflowMachine/report(_:_:from:_:)``. No transition is made for a task without such listeners.
final class TaskTransition: Sendable {
    enum Kind: Sendable {
        case ready, started
        /// The attempt has failed; another one follows after the wait.
        case attemptFailed(TaskFailure, wait: Duration)
        case finished
        /// The task has failed for good.
        case failed(TaskFailure)
        case cancelled(CancellationReason)
        case reset, retried

        /// Whether a task's class has a method for it.
        var hasHook: Bool {
            switch self {
            case .finished, .failed, .cancelled, .reset, .retried: true
            case .started, .ready, .attemptFailed: false
            }
        }

        /// Whether delegates or notification centers get it.
        var isAnnounced: Bool {
            switch self {
            case .ready, .attemptFailed: false
            case .started, .finished, .failed, .cancelled, .reset, .retried: true
            }
        }

        /// The event that readers get.
        var event: WorkflowEvent.Kind {
            switch self {
            case .ready: .ready
            case .started: .started
            case .attemptFailed(let failure, let wait): .attemptFailed(failure.text, wait: wait)
            case .finished: .finished
            case .failed(let failure): .failed(failure.text)
            case .cancelled(let reason): .cancelled(reason)
            case .reset: .reset
            case .retried: .retried
            }
        }
    }

    let task: Int32
    let kind: Kind
    /// The old state, and a snapshot with the new state, the attempt, and the result or error.
    let change: WorkflowTask.Change
    /// The number of its event; a listener that was registered after that event isn't notified.
    let event: Int

    init(_ task: Int32, _ kind: Kind, _ change: WorkflowTask.Change, event: Int) {
        self.task = task
        self.kind = kind
        self.change = change
        self.event = event
    }
}
