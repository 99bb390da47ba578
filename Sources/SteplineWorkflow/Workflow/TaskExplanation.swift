public import struct Foundation.Date

/// Why a task is where it is, as a value and as a sentence.
public struct TaskExplanation: Sendable, CustomStringConvertible {
    /// What a task waits for, or how it has ended.
    public enum Reason: Sendable {
        /// These prerequisites aren't satisfied.
        case waitsForTasks([String])
        /// These tasks have failed or were cancelled, and keep it from running.
        case blocked(by: [String])
        /// Nobody has started it.
        case notStarted
        /// It waits before another attempt.
        case waitsForRetry
        /// It waits for a thread, or for its operation queue.
        case waitsForThread
        /// As many bodies are live as the workflow allows.
        case limitReached(Int)
        /// It waits for places of pools.
        case waitsForPools([String])
        /// The body of a stopped attempt has not ended.
        case waitsForLastBody
        /// It is about to become Ready, once its reset has been told.
        case isBeingTold
        /// An attempt runs.
        case executing(attempt: Int)
        /// The body has returned, and somebody is to end the attempt.
        case returned(attempt: Int)
        /// The body has returned, and nobody holds the attempt any more.
        case letGo(attempt: Int)
        /// The condition isn't fulfilled.
        case notFulfilled
        /// It has its result.
        case finished(Date?)
        /// It has failed for good.
        case failed(String, Date?)
        /// It was cancelled.
        case cancelled
        /// It is in another workflow, or in none.
        case notInWorkflow
    }

    /// The task's name.
    public let name: String
    /// Why it is where it is.
    public let reason: Reason

    /// One sentence.
    public var description: String { "\(name) \(reason.text)." }
}

extension TaskExplanation.Reason {
    fileprivate var text: String {
        switch self {
        case .waitsForTasks(let tasks): "waits for \(tasks.joined(separator: ", "))"
        case .blocked(let tasks): "is blocked by \(tasks.joined(separator: ", "))"
        case .notStarted: "may run, but nobody has started it"
        case .waitsForRetry: "waits before another attempt"
        case .waitsForThread: "waits for a thread"
        case .limitReached(let limit): "waits, as \(limit) bodies are live, which is the most allowed"
        case .waitsForPools(let pools): "waits for a place in \(pools.joined(separator: ", "))"
        case .waitsForLastBody: "waits for its last body to end, which was stopped"
        case .isBeingTold: "is about to be Ready"
        case .executing(let attempt): "runs (attempt \(attempt))"
        case .returned(let attempt): "has returned, and waits to be ended (attempt \(attempt))"
        case .letGo(let attempt):
            "has returned and was let go without having ended (attempt \(attempt)); task.finish ends it"
        case .notFulfilled: "waits to be fulfilled"
        case .finished: "is finished"
        case .failed(let error, _): "has failed: \(error)"
        case .cancelled: "was cancelled"
        case .notInWorkflow: "is not in this workflow"
        }
    }
}
