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
        public let result: (any Sendable)?
        /// What it has failed with.
        public let error: (any Error)?
        /// When it finished or failed.
        public let finishDate: Date?
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
