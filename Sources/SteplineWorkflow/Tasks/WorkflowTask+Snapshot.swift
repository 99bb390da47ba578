public import Foundation
import SteplineSupport

extension WorkflowTask {
    /// State, attempt, result, error and date as of one instant.
    public var snapshot: Snapshot {
        let (core, number, past) = face.withLock { ($0.core, $0.number, $0.past?.past) }
        if let core { return core.look { $0.snapshot(number) } }
        return (past ?? TaskPast()).snapshot
    }

    /// Where the task stands.
    public var state: State { snapshot.state }

    /// What it has finished with.
    public var result: (any Sendable)? {
        let snapshot = snapshot
        if snapshot.state != .finished { MissingResults.note() }
        return snapshot.result
    }

    /// What it has failed with.
    public var error: (any Error)? { snapshot.error }

    /// When it finished or failed.
    public var finishDate: Date? { snapshot.finishDate }

    /// Whether it waits for prerequisites.
    public var isPending: Bool { state == .pending }
    /// Whether it may be started, or waits for its turn.
    public var isReady: Bool { state == .ready }
    /// Whether an attempt runs.
    public var isExecuting: Bool { state == .executing }
    /// Whether it was cancelled.
    public var isCancelled: Bool { state == .cancelled }
    /// Whether it has its result.
    public var isFinished: Bool { state == .finished }
    /// Whether it has failed for good.
    public var isFailed: Bool { state == .failed }
}

extension TaskPast {
    var snapshot: WorkflowTask.Snapshot {
        let date = Date(timeIntervalSinceReferenceDate: finishDate)
        return WorkflowTask.Snapshot(state, attempt: attempt, end: value, date: date)
    }
}
