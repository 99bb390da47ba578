/// The state of a task: pending, then executing, then finished, never back.
public enum TaskState: Sendable, Hashable, Codable {
    /// No attempt has begun; the task waits as described.
    case pending(Wait)
    /// An attempt has begun; nil while a body is live, otherwise the current wait.
    case executing(Wait?)
    /// The task has ended.
    case finished(End)

    /// The event that an unfinished task waits for.
    public enum Wait: String, Sendable, Hashable, Codable {
        /// A call of `start()`.
        case start
        /// The end of the delay.
        case delay
        /// The interceptors, or their answers.
        case interception
        /// The release by an interceptor.
        case held
        /// A free slot.
        case slot
        /// The manager's `resume()`.
        case pause
        /// The end of a suspending run.
        case suspension
        /// The reactors' answers, or the runs that the task triggered.
        case reaction
        /// The end of the back-off.
        case backoff
    }

    /// The kind of outcome, without its value or error.
    public enum End: String, Sendable, Hashable, Codable {
        /// The task returned a value.
        case succeeded
        /// The task ended with its own error or the manager's: a time limit, a discard, a failed reactor.
        case failed
        /// The task was cancelled, by a call, a shutdown or the release of its manager.
        case cancelled
    }

    /// Whether no attempt has begun.
    public var isPending: Bool { if case .pending = self { true } else { false } }
    /// Whether an attempt has begun and the task hasn't ended.
    public var isExecuting: Bool { if case .executing = self { true } else { false } }
    /// Whether the task has ended.
    public var isFinished: Bool { if case .finished = self { true } else { false } }
}

extension TaskState: CustomStringConvertible {
    /// The state as text, such as `pending (slot)`, `executing` or `finished: failed`.
    public var description: String {
        switch self {
        case .pending(let wait): "pending (\(wait.rawValue))"
        case .executing(let wait): wait.map { "executing (\($0.rawValue))" } ?? "executing"
        case .finished(let end): "finished: \(end.rawValue)"
        }
    }
}
