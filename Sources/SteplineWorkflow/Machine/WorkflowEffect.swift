import SteplineEngine
import SteplineSupport

/// An effect that a workflow's machine decides and its core performs after unlock.
enum WorkflowEffect: Sendable {
    // Orders: performed by the thread that sent the event.

    /// Enqueues a job of this workflow for the pool of workers.
    case callWorker
    /// Submits tasks to their operation queues, or to the executor.
    case hand([ExternalTask])
    /// Calls the stop handlers of an attempt.
    case stop([@Sendable () -> Void])
    /// Cancels the workflow inside a task.
    case cancelInside(WorkflowTask, CancellationReason, attempt: UInt32)
    /// Requests the places of a task in pools.
    case takePlaces(PoolRequest, Int32)
    /// Gives places back, or leaves the line for them.
    case giveBack(PoolRequest)
    /// Writes events to the log.
    case log([WorkflowEvent])
    /// Hands an entry to the journal.
    case record(JournalEntry)
    /// The time-out of an attempt is over, or the deadline of a task.
    case timeOver(Int32, attempt: UInt32, isDeadline: Bool)

    // Notifications: performed by one thread at a time, in the order decided.

    /// Notifies all listeners of a task.
    case notify(TaskTransition)
    /// Resets the workflow inside a task that hasn't begun: it used what the task's prerequisites held before.
    case resetInside(WorkflowTask, isRetry: Bool)
    /// All listeners of that change were notified: dependents may proceed.
    case notified(Int32, starts: Bool)
    /// All listeners were notified that the attempt has begun: its body may begin.
    case run(TaskJob)
    /// Announces something about the workflow itself.
    case announce(WorkflowNews)
    /// Notifies the task around this workflow.
    case notifyEnclosing(InsideNews)
    /// Sends events of a map's elements to the workflow around.
    case forward([WorkflowEvent])
    /// Settles the run, if nothing has begun since.
    case settle
    /// Hands the report to waiters and listeners, and releases the workflow.
    case settled(SettledRun?, [OneShot<RunReport>], (any AnyObject & Sendable)?)
}

/// The machine as it stood when a run settled.
///
/// A report takes time by the number of tasks, so it is made of this copy and not under the lock.
// A copy of values: nothing changes it.
final class SettledRun: @unchecked Sendable {
    let machine: WorkflowMachine

    init(_ machine: WorkflowMachine) { self.machine = machine }
}

/// News of the workflow itself for delegates and notifications: a message before it takes effect, or the end.
enum WorkflowNews: Sendable {
    case willStart, willCancel, willReset, willRetry
    /// Every task without dependents is Finished.
    case complete

    /// The event that readers get.
    var event: WorkflowEvent.Kind {
        switch self {
        case .willStart: .willStart
        case .willCancel: .willCancel
        case .willReset: .willReset
        case .willRetry: .willRetry
        case .complete: .didFinish
        }
    }
}

/// News of a workflow for the task around it.
enum InsideNews: Sendable {
    case failed((any Error)?)
    case cancelled(CancellationReason)
    /// Nothing more happens in it by itself: it is finished, or waits for a message.
    case settled
}

/// Which of a task's timers; those of the workflow have the number -1.
struct TaskTimer: EngineTimer {
    let number: Int32
    let kind: AttemptTimer

    var purpose: ClockPurpose { kind.purpose }
}

/// A Swift task that awaits the end of a task.
// The snapshot is set under the lock, before the waiter is woken.
final class EndWaiter: Waiter, @unchecked Sendable {
    private let end = OneShot<WorkflowTask.Snapshot?>()
    var snapshot: WorkflowTask.Snapshot?

    /// How the task stood at its end; nil if the wait was cancelled.
    var value: WorkflowTask.Snapshot? { get async { await end.value } }

    func wake() { end.fulfill(snapshot) }

    func cancel() { end.fulfill(nil) }
}

/// One event's way through a workflow's machine.
typealias WorkflowTurn = Turn<WorkflowEffect, TaskTimer>
