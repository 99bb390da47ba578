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

    /// What kind of error it is.
    public let code: Code
    /// The task's name; empty if no task is meant.
    public let subject: String
    /// The handle that ended, if it was one.
    public let handle: ManagedTaskID?
    /// The attempt under way, counted from 1; 0 before the first.
    public let attempt: Int
    /// The interceptor or reactor that caused it.
    public let actor: String?
    /// Why it was cancelled, for ``Code/cancelled``.
    public internal(set) var cancellation: CancellationReason?
    /// The limit that expired, for ``Code/timedOut``.
    public internal(set) var limit: Limit?
    /// How long that limit was.
    public internal(set) var duration: Duration?
    /// The cause, such as what a reactor threw.
    public let underlying: (any Error)?
    private let detail: String?

    init(
        _ code: Code, task: String = "", handle: ManagedTaskID? = nil, attempt: Int = 0, actor: String? = nil,
        underlying: (any Error)? = nil, detail: String? = nil
    ) {
        self.code = code
        subject = task
        self.handle = handle
        self.attempt = attempt
        self.actor = actor
        self.underlying = underlying
        self.detail = detail
    }

    /// What nobody can do.
    package static func unsupported(_ reason: String) -> TaskManagerError {
        TaskManagerError(.unsupported, detail: reason)
    }

    /// What a request gets that comes when its manager is gone.
    package static var managerReleased: TaskManagerError { TaskManagerError(.managerReleased) }

    /// What somebody fails with whose task was cancelled by others.
    package static func cancelled(_ reason: CancellationReason) -> TaskManagerError {
        var error = TaskManagerError(.cancelled)
        error.cancellation = reason
        return error
    }

    /// Which adding and attempt it is about, such as `handle.0.3, attempt 2`; empty if no task is meant.
    public var place: String {
        guard let handle else { return "" }
        return attempt > 0 ? "\(handle), attempt \(attempt)" : "\(handle)"
    }

    /// Equal in all but the cause.
    public static func == (left: TaskManagerError, right: TaskManagerError) -> Bool {
        left.code == right.code && left.handle == right.handle && left.subject == right.subject
            && left.attempt == right.attempt && left.actor == right.actor
            && left.cancellation == right.cancellation && left.limit == right.limit
            && left.duration == right.duration && left.detail == right.detail
    }
}

extension TaskManagerError: CustomStringConvertible {
    /// One line for a log, without secrets of URLs: `load (handle.0.3, attempt 2) timed out after 30 s`.
    public var description: String {
        let task = handle == nil ? "a task" : "\(subject) (\(place))"
        return Redaction.standard.text("\(task) \(predicate)")
    }

    /// The same line.
    public var errorDescription: String? { description }

    /// The line without the subject.
    var predicate: String {
        var text = code.phrase
        if let duration { text += " after \(duration.shortText)" }
        if let actor { text += " (\(actor))" }
        if let cancellation { text += ": \(cancellation)" }
        if let detail { text += ": \(detail)" }
        if let underlying { text += ": \(ErrorText.line(underlying))" }
        return Redaction.standard.text(text)
    }
}

extension Duration {
    /// Seconds without needless digits: `30 s`, `0.25 s`.
    var shortText: String {
        let seconds = inSeconds
        return seconds == seconds.rounded() && abs(seconds) < 1e15 ? "\(Int64(seconds)) s" : "\(seconds) s"
    }
}
