/// Where a handle's task is: it goes from pending to executing to finished, never back.
public enum TaskState: Sendable, Hashable, Codable {
    /// No attempt has begun; it waits for this.
    case pending(Wait)
    /// An attempt has begun; nil while a body is live, else what it waits for.
    case executing(Wait?)
    /// It has ended, in this way.
    case finished(End)

    /// What an unfinished task waits for.
    public enum Wait: String, Sendable, Hashable, Codable {
        /// Somebody to call `start()`.
        case start
        /// The end of its delay.
        case delay
        /// Its turn with the interceptors, or their answers.
        case interception
        /// An interceptor to release it.
        case held
        /// A free slot.
        case slot
        /// The manager to be resumed.
        case pause
        /// The end of a suspending run.
        case suspension
        /// The reactors' answers, or the runs that it triggered.
        case reaction
        /// The end of its back-off.
        case backoff
    }

    /// How a task ended: its outcome, without what it made or why.
    public enum End: String, Sendable, Hashable, Codable {
        /// With a value.
        case succeeded
        /// With an error of its own or the manager's: a time limit, a discard, a reactor that failed.
        case failed
        /// By a cancellation, a shutdown or its manager's end.
        case cancelled
    }

    /// Whether no attempt has begun.
    public var isPending: Bool { if case .pending = self { true } else { false } }
    /// Whether an attempt has begun and the task has not ended.
    public var isExecuting: Bool { if case .executing = self { true } else { false } }
    /// Whether it has ended.
    public var isFinished: Bool { if case .finished = self { true } else { false } }
}
