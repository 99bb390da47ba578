public import Foundation
public import SteplineSupport

/// What a manager ended a task with, as opposed to a failure of the task's own.
public struct TaskManagerError: LocalizedError, ErrorWithCause, Equatable, Sendable {
    /// Which time limit expired.
    public enum Limit: Sendable, Hashable {
        /// That of one attempt.
        case attempt
        /// That of everything from adding to the end.
        case total
    }

    /// What kind of end it is.
    public let code: Code
    /// The handle that ended, if it was one.
    public let handle: ManagedTaskID?
    /// The task's name; empty if no task is meant.
    public let task: String
    /// The attempt under way, counted from 1; 0 before the first.
    public let attempt: Int
    /// The interceptor or reactor that caused it.
    public internal(set) var actor: String?
    /// The reason that somebody gave.
    public internal(set) var reason: String?
    /// The limit that expired, for ``Code/timedOut``.
    public internal(set) var limit: Limit?
    /// How long that limit was.
    public internal(set) var duration: Duration?
    /// The cause, such as what a reactor threw.
    public internal(set) var underlying: (any Error)?

    init(_ code: Code, of record: TaskRecord? = nil, attempt: Int = 0, actor: String? = nil) {
        self.code = code
        handle = record?.identifier
        task = record?.name ?? ""
        self.attempt = attempt
        self.actor = actor
    }

    /// What nobody can do.
    package static func unsupported(_ reason: String) -> TaskManagerError {
        var error = TaskManagerError(.unsupported)
        error.reason = reason
        return error
    }

    /// What a request gets that comes when its manager is gone.
    package static var managerReleased: TaskManagerError { TaskManagerError(.managerReleased) }

    /// Equal in all but the cause.
    public static func == (left: TaskManagerError, right: TaskManagerError) -> Bool {
        left.code == right.code && left.handle == right.handle && left.task == right.task
            && left.attempt == right.attempt && left.actor == right.actor && left.reason == right.reason
            && left.limit == right.limit && left.duration == right.duration
    }
}

extension TaskManagerError: CustomStringConvertible {
    /// One line for a log: `load (handle.0.3, attempt 2) timed out after 30 s`.
    public var description: String {
        var text = subject + code.phrase
        if let duration { text += " after \(duration.shortText)" }
        if let actor { text += " (\(actor))" }
        if let reason { text += ": \(reason)" }
        if let underlying { text += ": \(underlying)" }
        return text
    }

    /// The same line.
    public var errorDescription: String? { description }

    private var subject: String {
        guard let handle else { return "a task " }
        let tried = attempt > 0 ? ", attempt \(attempt)" : ""
        return "\(task) (\(handle)\(tried)) "
    }
}

extension Duration {
    /// Seconds without needless digits: `30 s`, `0.25 s`.
    var shortText: String {
        let seconds = inSeconds
        return seconds == seconds.rounded() && abs(seconds) < 1e15 ? "\(Int64(seconds)) s" : "\(seconds) s"
    }
}
