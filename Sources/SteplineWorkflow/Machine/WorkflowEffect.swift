import SteplineEngine
import SteplineSupport

/// What a workflow's machine decides and its core does.
enum WorkflowEffect: Sendable {
    // Ordered: done by the thread that sent the event.

    /// A thread of the pool is to work for the workflow.
    case callWorker
    /// These tasks go to their operation queues, or to the executor.
    case hand([HandedTask])
    /// An attempt was stopped: these want to know.
    case stop([@Sendable () -> Void])
    /// The workflow inside a task is cancelled with it.
    case cancelInside(WorkflowTask, CancellationReason, attempt: UInt32)
    /// A task wants its places in pools.
    case takePlaces(PoolRequest, Int32)
    /// A task gives its places back, or leaves the line.
    case giveBack(PoolRequest)
    /// The journal keeps it.
    case record(JournalEntry)
    /// A task's time is over, of one attempt or of all.
    case timeOver(Int32, attempt: UInt32, isDeadline: Bool)

    // Told: one after the other, in the order decided.

    /// All who hear of a task are told of a change.
    case tell(Int32, TaskChange)
    /// What a task that hasn't begun has inside is reset: it was made for what its prerequisites held before.
    case resetInside(WorkflowTask)
    /// All have been told of that change of a task: what follows from it may happen.
    case told(Int32, change: Int, starts: Bool)
    /// All have been told that the attempt has begun: its body may.
    case run(TaskJob)
    /// Something about the workflow itself.
    case announce(WorkflowNews)
    /// The task around this workflow hears how it goes.
    case tellOutside(InsideNews)
    /// Perhaps nothing more happens by itself.
    case settle
    /// Nothing does: waiters and listeners get the report, and the workflow is released.
    ///
    case settled(SettledRun?, [OneShot<RunReport>], (any AnyObject & Sendable)?)
}

/// The machine as it stood when a run settled.
///
/// A report takes time by the number of tasks, so it is made of this copy and not under the lock.
// A copy of values: nothing changes it.
final class SettledRun: @unchecked Sendable {
    private let machine: WorkflowMachine

    init(_ machine: WorkflowMachine) { self.machine = machine }

    func report() -> RunReport { machine.report() }
}

/// What is told of a workflow itself.
enum WorkflowNews: Sendable {
    case willStart, willCancel, willReset, willRetry
    /// Every task without dependents is Finished.
    case complete
}

/// What a workflow tells the task that it runs in.
enum InsideNews: Sendable {
    case failed((any Error)?)
    case cancelled(CancellationReason)
    /// Nothing more happens in it by itself: it is finished, or something in there has to be done first.
    case settled
}

/// Which of a task's timers; those of the workflow have the number -1.
struct TaskTimer: Hashable, Sendable {
    let number: Int32
    let kind: AttemptTimer
}

/// A Swift task that awaits the end of a task.
// The snapshot is set under the lock, before the waiter is woken.
final class TaskWaiter: Waiter, @unchecked Sendable {
    private let end = OneShot<WorkflowTask.Snapshot?>()
    var snapshot: WorkflowTask.Snapshot?

    /// How the task stood at its end; nil if the wait was cancelled.
    var value: WorkflowTask.Snapshot? { get async { await end.value } }

    func wake() { end.fulfill(snapshot) }

    func cancel() { end.fulfill(nil) }
}

/// One event's way through a workflow's machine.
typealias WorkflowTurn = Turn<WorkflowEffect, TaskTimer>
