public import SteplineSupport

public import struct Foundation.Date

extension WorkflowTask {
    /// Where a task stands.
    public enum State: UInt8, Sendable, Hashable, Codable, CaseIterable, CustomStringConvertible {
        /// Waits for prerequisites.
        case pending
        /// May be started, or waits for its turn.
        case ready
        /// An attempt runs.
        case executing
        /// Was cancelled.
        case cancelled
        /// Has its result.
        case finished
        /// Has failed for good.
        case failed

        /// The state in a word.
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

    /// All about a task as of one instant.
    public struct Snapshot: Sendable {
        /// Where it stood.
        public let state: State
        /// The number of the last attempt begun, from 1; 0 if there was none.
        public let attempt: Int
        /// What it has finished with.
        ///
        /// That of a task which a durable run has restored may be read from the store when it is asked for.
        public var result: (any Sendable)? { KeptResult.unpacked(value) }
        /// What it has failed with.
        public let error: (any Error)?
        /// Why it was cancelled.
        public let cancellation: CancellationReason?
        /// When it finished or failed.
        public let finishDate: Date?

        let value: (any Sendable)?

        /// Makes a snapshot; the state says what the end was: a result, a `TaskFailure` or a `CancellationReason`.
        init(_ state: State, attempt: UInt32, end: (any Sendable)?, date: Date) {
            self.state = state
            self.attempt = Int(attempt)
            value = state == .finished ? end : nil
            error = state == .failed ? (end as? TaskFailure)?.error : nil
            cancellation = state == .cancelled ? end as? CancellationReason ?? .requested : nil
            finishDate = state == .finished || state == .failed ? date : nil
        }

        /// How the task of that name has ended; nil while it hasn't.
        func outcome(of name: String) -> Outcome<(any Sendable)?>? {
            switch state {
            case .finished: .success(result)
            case .failed: .failure(error ?? WorkflowError(.noResult, name, "has failed without an error"))
            case .cancelled: .cancelled(cancellation ?? .requested)
            case .pending, .ready, .executing: nil
            }
        }
    }

    /// One change of a task's state.
    public struct Change: Sendable {
        /// The state before.
        public let oldState: State
        /// The task as of the change.
        public let snapshot: Snapshot
        /// The state after.
        public var newState: State { snapshot.state }
    }
}
