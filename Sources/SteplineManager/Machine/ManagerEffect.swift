import SteplineEngine
import SteplineSupport

/// An effect of a manager's machine, performed after unlock.
enum ManagerEffect {
    case startRunner
    case stop(Runner)
    case beginRun(ReactorRuns.Order)
    case log(ManagerEvent, tags: Set<String>, TaskReport?)
    /// Wakes a waiter, before any callback is called.
    case wake(any Waiter)
    case tell(TaskNews)
}

/// A task's end for the log.
struct TaskReport: Sendable {
    let record: TaskRecord
    /// The time from the addition to the end.
    let duration: Duration
}

/// The notifications for a task's end.
struct TaskNews: Sendable {
    /// The thread for callbacks without a queue.
    enum Thread {
        /// The current thread.
        case own
        /// A worker: the current thread must not be blocked by callbacks.
        case other
    }

    let record: TaskRecord
    /// The argument of `didCancel`; nil if the method isn't called.
    var error: TaskManagerError?
    var deliveries: [Callbacks<Void>.Delivery] = []
    /// The values to release after the notifications.
    var leftovers = TaskLeftovers()
    var thread = Thread.own

    /// The number of notifications that `waitUntilIdle` waits for.
    var count: Int { deliveries.count + (error == nil ? 0 : 1) }
}

/// A transaction of a manager's machine.
typealias ManagerTurn = Turn<ManagerEffect, ManagerTimer>
