public import Foundation
import SteplineSupport

extension WorkflowTask {
    /// The state, attempt, result, error and date, all from the same moment.
    public var snapshot: Snapshot {
        let (core, number, past) = face.withLock { ($0.core, $0.number, $0.past?.past) }
        // A single transaction reads all values, so they belong to the same moment.
        if let core { return core.look { $0.snapshot(number) } }
        return (past ?? TaskPast()).snapshot
    }

    /// The current state.
    public var state: State { snapshot.state }

    /// The result of a Finished task.
    public var result: (any Sendable)? {
        let snapshot = snapshot
        // A check must not trust a closure that reads a result before the run.
        if snapshot.state != .finished { MissingResults.note() }
        return snapshot.result
    }

    /// The error of a Failed task.
    public var error: (any Error)? { snapshot.error }

    /// The time at which the task finished or failed.
    public var finishDate: Date? { snapshot.finishDate }

    /// Whether the task waits for prerequisites.
    public var isPending: Bool { state == .pending }
    /// Whether the task can be started, or waits for a slot.
    public var isReady: Bool { state == .ready }
    /// Whether an attempt is running.
    public var isExecuting: Bool { state == .executing }
    /// Whether the task was cancelled.
    public var isCancelled: Bool { state == .cancelled }
    /// Whether the task has its result.
    public var isFinished: Bool { state == .finished }
    /// Whether the task has failed, and no attempt follows.
    public var isFailed: Bool { state == .failed }
}

extension TaskPast {
    var snapshot: WorkflowTask.Snapshot {
        let date = Date(timeIntervalSinceReferenceDate: finishDate)
        return WorkflowTask.Snapshot(state, attempt: attempt, end: value, date: date)
    }
}
