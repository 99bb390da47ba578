import SteplineSupport

/// Something the machine has decided that is still to be done, in the order decided.
enum Due {
    /// A step of what this thread is in the middle of telling; a message sent meanwhile comes after.
    case step(TellingStep)
    /// Listeners of a task are to be told of a change.
    case tell(Int32, TaskChange)
    /// The dependents of a task that has finished or failed are to be looked at.
    case release(Int32, attempt: UInt32)
    /// A task that was reset or is to be retried, and is told off, becomes Ready.
    case ready(Int32, attempt: UInt32, starts: Bool)
    /// The workflow is complete.
    case complete
    /// That is to be told.
    case tellComplete
    /// Perhaps nothing more happens by itself.
    case settle
    /// Nothing more does: those who wait are to be told, and the workflow need not be kept alive.
    case settled(RunReport?, [OneShot<RunReport>], Workflow?)
    /// Tasks are to be handed to operation queues or to the executor.
    case hand
    /// A timer is to be set.
    case arm(TaskTimer, id: UInt64, after: Duration)
    /// The task around this workflow is to be told.
    case tellOutside(InsideNews)
    /// Anything else: a handler, a reader to be woken.
    case call(@Sendable () -> Void)
}

/// A change to be told, with the task as it was then.
final class TaskChange: Sendable {
    enum Kind: Sendable {
        case started, finished, failed, cancelled, reset, retried, ready, pending, attemptFailed

        /// Whether a task's class has a method for it.
        var hasHook: Bool {
            switch self {
            case .finished, .failed, .cancelled, .reset, .retried: true
            case .started, .ready, .pending, .attemptFailed: false
            }
        }
    }

    let kind: Kind
    /// The number of the event.
    let event: Int
    let change: WorkflowTask.Change

    init(kind: Kind, event: Int, change: WorkflowTask.Change) {
        self.kind = kind
        self.event = event
        self.change = change
    }
}

/// First in, first out.
struct DueLine {
    private var items: [Due?] = []
    private var taken = 0

    var isEmpty: Bool { taken == items.count }

    mutating func append(_ due: Due) { items.append(due) }

    /// Puts these before all others.
    mutating func prepend(_ due: [Due]) {
        items.replaceSubrange(0..<taken, with: due.map { $0 })
        taken = 0
    }

    mutating func popFirst() -> Due? {
        guard taken < items.count else { return nil }
        let due = items[taken]
        items[taken] = nil
        taken += 1
        if taken == items.count {
            items.removeAll(keepingCapacity: items.capacity <= 4096)
            taken = 0
        } else if taken >= 1024, 2 * taken >= items.count {
            items.removeFirst(taken)
            taken = 0
        }
        return due
    }
}
