public import SteplineSupport

public import struct Foundation.Date

extension WorkflowTask {
    /// The state of a task.
    public enum State: UInt8, Sendable, Hashable, Codable, CaseIterable, CustomStringConvertible {
        /// The task waits for prerequisites.
        case pending
        /// The task can be started, or waits for a slot.
        case ready
        /// An attempt is running.
        case executing
        /// The task was cancelled.
        case cancelled
        /// The task has its result.
        case finished
        /// The task has failed, and no attempt follows.
        case failed

        /// The name of the state.
        public var description: String {
            switch self {
            case .pending: "Pending"
            case .ready: "Ready"
            case .executing: "Executing"
            case .cancelled: "Cancelled"
            case .finished: "Finished"
            case .failed: "Failed"
            }
        }
    }

    /// A task's properties at one moment.
    public struct Snapshot: Sendable {
        /// The state.
        public let state: State
        /// The number of the latest attempt, from 1; 0 if there was none.
        public let attempt: Int
        /// The result.
        ///
        /// Reading the result of a restored task of a durable run may access the store.
        public var result: (any Sendable)? { KeptResult.unpacked(value) }
        /// The error of a failed task.
        public let error: (any Error)?
        /// The reason of a cancellation.
        public let cancellation: CancellationReason?
        /// The time at which the task finished or failed.
        public let finishDate: Date?

        let value: (any Sendable)?

        /// Makes a snapshot; the state says what the end was: a result, a `TaskFailure` or a `CancellationReason`.
        init(_ state: State, attempt: UInt32, end: (any Sendable)?, date: Date) {
            self.state = state
            self.attempt = Int(attempt)
            value = state == .finished ? end : nil
            error = state == .failed ? (end as? TaskFailure)?.error : nil
            // A cancellation that was restored from a store has no reason.
            cancellation = state == .cancelled ? end as? CancellationReason ?? .requested : nil
            finishDate = state == .finished || state == .failed ? date : nil
        }

        /// Returns the outcome of the task with this name; nil before its end.
        func outcome(of name: String) -> Outcome<(any Sendable)?>? {
            switch state {
            case .finished: .success(result)
            // `fail(with: nil)` is allowed, but an outcome needs an error.
            case .failed: .failure(error ?? WorkflowError(.noResult, name, "has failed without an error"))
            case .cancelled: .cancelled(cancellation ?? .requested)
            case .pending, .ready, .executing: nil
            }
        }
    }

    /// A change of a task's state.
    public struct Change: Sendable {
        /// The state before the change.
        public let oldState: State
        /// The task at the change.
        public let snapshot: Snapshot
        /// The state after the change.
        public var newState: State { snapshot.state }
    }
}
