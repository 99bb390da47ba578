public import struct Foundation.Date

/// An event of a manager; each manager numbers its events from 1 without gaps.
public struct ManagerEvent: Sendable, Hashable, Codable {
    /// The kinds of events.
    public enum Kind: String, Sendable, Hashable, Codable {
        /// A task was added, or a task added earlier was started.
        case added
        /// All interceptors have answered.
        case intercepted
        /// An interceptor holds the task.
        case held
        /// The task is no longer held.
        case released
        /// The task is ready to begin.
        case queued
        /// An attempt began.
        case began
        /// An attempt ended.
        case attemptEnded
        /// A stopped attempt ended, or a completion was called again; both have no effect.
        case lateEnd
        /// A reactor's run began.
        case runBegan
        /// A task joined the current run.
        case runJoined
        /// A run ended.
        case runEnded
        /// The task will run again.
        case requeued
        /// The reactor has reached its limit of requeues for the task.
        case requeueLimit
        /// The task has ended.
        case finished
        /// No task begins until the suspending runs have ended.
        case suspended
        /// The last suspending run has ended.
        case unsuspended
        /// The manager was paused.
        case paused
        /// The manager was resumed.
        case resumed
        /// A body, an answer, a run or a hold has exceeded the watchdog's interval.
        case stalled
        /// A stopped body didn't end within the grace period; its slot was freed.
        case abandoned
        /// A shutdown has begun.
        case shuttingDown
        /// The shutdown is complete.
        case shutDown
    }

    /// The number of the event in its manager, from 1.
    public let number: Int
    /// The time of the event.
    public let date: Date
    /// The kind of the event.
    public let kind: Kind
    /// The task's handle, if the event concerns a task.
    public let handle: ManagedTaskID?
    /// The name of the task, interceptor or reactor.
    public let name: String
    /// The current attempt, from 1; 0 before the first.
    public let attempt: Int
    /// The outcome of the task, for ``Kind/finished``.
    public let end: TaskState.End?
}

extension ManagerEvent: CustomStringConvertible {
    /// The event as a single line: `17 handle.0.3 city finished: succeeded`.
    public var description: String { "\(number) \(text)" }

    /// The description without the number.
    var text: String {
        let subject = [handle.map { "\($0)" } ?? "", name].filter { !$0.isEmpty }
        let end = end.map { ": \($0.rawValue)" } ?? ""
        return (subject + [kind.rawValue]).joined(separator: " ") + end
    }
}
