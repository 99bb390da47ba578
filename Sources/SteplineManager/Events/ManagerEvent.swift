public import struct Foundation.Date

/// Something that happened in a manager; the events of one manager are numbered from 1 without gaps.
public struct ManagerEvent: Sendable, Hashable, Codable {
    /// What happened.
    public enum Kind: String, Sendable, Hashable, Codable {
        /// A task was added, or one added earlier was started.
        case added
        /// All interceptors have answered about it.
        case intercepted
        /// An interceptor holds it.
        case held
        /// It is held no longer.
        case released
        /// It could begin.
        case queued
        /// An attempt began.
        case began
        /// An attempt ended.
        case attemptEnded
        /// A stopped attempt ended, or a completion was called again; it changed nothing.
        case lateEnd
        /// A reactor's run began.
        case runBegan
        /// A task joined the run under way.
        case runJoined
        /// A run ended.
        case runEnded
        /// A task is to run again.
        case requeued
        /// A reactor may requeue the task no more.
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
        /// Something neither ends nor answers.
        case stalled
        /// A stopped body has not ended; its slot is free again.
        case abandoned
        /// A shutdown has begun.
        case shuttingDown
        /// The shutdown is complete.
        case shutDown
    }

    /// Its place in the manager's events, from 1.
    public let number: Int
    /// When it happened.
    public let date: Date
    /// What happened.
    public let kind: Kind
    /// The handle it happened to, if it was one.
    public let handle: ManagedTaskID?
    /// The name of the task, interceptor or reactor.
    public let name: String
    /// The attempt under way, counted from 1; 0 before the first.
    public let attempt: Int
    /// How the task ended, for ``Kind/finished``.
    public let end: TaskState.End?
}
