import SteplineEngine
import SteplineSupport

/// What a manager's machine wants done once its lock is released.
enum ManagerEffect {
    case startRunner
    case stop(Runner)
    case beginRun(ReactorRuns.Order)
    case log(ManagerEvent, tags: Set<String>)
    /// Somebody who waits is woken before any callback is called.
    case wake(any Waiter)
    case tell(TaskNews)
}

/// Who is to be told of a task's end, and where.
struct TaskNews: Sendable {
    /// Where callbacks without a queue run that this thread has brought about.
    enum Thread {
        /// Here.
        case own
        /// Elsewhere: others wait for this thread.
        case other
    }

    let record: TaskRecord
    /// What `didCancel` is told, if it is to be called.
    var error: TaskManagerError?
    var deliveries: [Callbacks<Void>.Delivery] = []
    /// What is let go behind that.
    var leftovers = TaskLeftovers()
    var thread = Thread.own

    /// How many tellings there are whose end is waited for.
    var count: Int { deliveries.count + (error == nil ? 0 : 1) }
}

/// One event's way through a manager's machine.
typealias ManagerTurn = Turn<ManagerEffect, ManagerTimer>
