import SteplineEngine
import SteplineSupport
import Synchronization

/// A listener of a task, until its subscription is cancelled or its owner's callbacks are removed.
final class TaskListener: Sendable {
    enum Kind: Sendable {
        /// Every change of the task's state.
        case change
        case end, success, failure
    }

    let kind: Kind
    let place: CallbackPlace
    let id: UInt64
    /// The number of events before the registration; earlier changes aren't reported.
    private let since: Int
    let owner: OwnerToken
    private let call: @Sendable (WorkflowTask.Change) -> Void
    private let isOver = Atomic(false)

    init(
        _ kind: Kind, id: UInt64, since: Int, owner: AnyObject?, place: CallbackPlace,
        call: @escaping @Sendable (WorkflowTask.Change) -> Void
    ) {
        self.kind = kind
        self.id = id
        self.since = since
        self.owner = OwnerToken(owner)
        self.place = place
        self.call = call
    }

    func end() { isOver.store(true, ordering: .releasing) }

    func wants(_ change: TaskChange) -> Bool {
        // Decided before the registration: its effect may be reported only now.
        guard change.event > since else { return false }
        switch (kind, change.kind) {
        case (.change, _), (.end, .finished), (.end, .failed), (.end, .cancelled): return true
        case (.success, .finished), (.failure, .failed): return true
        default: return false
        }
    }

    func tell(_ change: WorkflowTask.Change) {
        // A cancelled subscription may be called once more if the call has already begun.
        if !isOver.load(ordering: .acquiring) { call(change) }
    }
}
