public import Foundation
public import SteplineSupport

/// An error with which a manager ended a task, as opposed to the task's own error.
public struct TaskManagerError: LocalizedError, ErrorWithCause, Equatable, Sendable {
    /// The time limit that expired.
    public enum Limit: Sendable, Hashable {
        /// The limit of one attempt.
        case attempt
        /// The limit of the time from adding to the end.
        case total
    }

    /// The kind of error.
    public let code: Code
    /// The task's name; empty if the error concerns no task.
    public let subject: String
    /// The handle that ended, if any.
    public let handle: ManagedTaskID?
    /// The current attempt, from 1; 0 before the first.
    public let attempt: Int
    /// The interceptor or reactor that caused the error.
    public let actor: String?
    /// The reason of the cancellation, for ``Code/cancelled``.
    public internal(set) var cancellation: CancellationReason?
    /// The expired limit, for ``Code/timedOut``.
    public internal(set) var limit: Limit?
    /// The duration of the expired limit.
    public internal(set) var duration: Duration?
    /// The cause, such as a reactor's error.
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

    /// Returns the error of an unsupported operation.
    package static func unsupported(_ reason: String) -> TaskManagerError {
        TaskManagerError(.unsupported, detail: reason)
    }

    /// The error of a task added after its manager was released.
    package static var managerReleased: TaskManagerError { TaskManagerError(.managerReleased) }

    /// Returns the error for a caller whose task was cancelled elsewhere.
    package static func cancelled(_ reason: CancellationReason) -> TaskManagerError {
        var error = TaskManagerError(.cancelled)
        error.cancellation = reason
        return error
    }

    /// The handle and attempt, such as `handle.0.3, attempt 2`; empty if the error concerns no task.
    public var place: String {
        guard let handle else { return "" }
        return attempt > 0 ? "\(handle), attempt \(attempt)" : "\(handle)"
    }

    /// Returns whether two errors are equal in all properties but the cause.
    public static func == (left: TaskManagerError, right: TaskManagerError) -> Bool {
        // `underlying` isn't compared: `any Error` has no equality.
        left.code == right.code && left.handle == right.handle && left.subject == right.subject
            && left.attempt == right.attempt && left.actor == right.actor
            && left.cancellation == right.cancellation && left.limit == right.limit
            && left.duration == right.duration && left.detail == right.detail
    }
}

extension TaskManagerError: CustomStringConvertible {
    /// A single line for logs, with URL secrets redacted: `load (handle.0.3, attempt 2) timed out after 30 s`.
    public var description: String {
        let task = handle == nil ? "a task" : "\(subject) (\(place))"
        return Redaction.standard.text("\(task) \(predicate)")
    }

    /// The error as a single line.
    public var errorDescription: String? { description }

    /// The description without the subject.
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
    /// The duration in seconds, without redundant digits: `30 s`, `0.25 s`.
    var shortText: String {
        let seconds = inSeconds
        // The bound keeps the conversion to `Int64` from trapping.
        return seconds == seconds.rounded() && abs(seconds) < 1e15 ? "\(Int64(seconds)) s" : "\(seconds) s"
    }
}
