/// What is looked at whenever something happens to a task or to one of its prerequisites.
///
/// A task is a number, its place in two arrays: this one small, so that a walk over the graph stays in the
/// cache, the other with the rest (``TaskPart``). A prerequisite has always a lower number than its dependents,
/// so that numbers are in topological order.
struct TaskNode {
    var state = WorkflowTask.State.ready
    var priority: UInt8 = 2
    var flags: Flags = []
    /// How many prerequisites aren't satisfied.
    var missing: Int32 = 0
    /// The number of the last attempt begun.
    var attempt: UInt32 = 0
    /// The number of the attempt whose body is live; 0 if none is.
    var live: UInt32 = 0
    /// The list of edges to its dependents; -1 at the end.
    var firstDependent: Int32 = -1
    var lastDependent: Int32 = -1
    /// The last walk that came by.
    var mark: UInt32 = 0

    struct Flags: OptionSet {
        let rawValue: UInt32

        /// In the ready queue, or handed to somebody else's.
        static let queued = Flags(rawValue: 1 << 0)
        /// To be started as soon as its last body has ended or a place is free.
        static let startDue = Flags(rawValue: 1 << 1)
        /// Waits before its next attempt.
        static let backoff = Flags(rawValue: 1 << 2)
        /// Finished or failed, and its dependents know.
        static let released = Flags(rawValue: 1 << 3)
        /// Told off after a reset or retry, and about to become Ready.
        static let readyDue = Flags(rawValue: 1 << 4)
        /// Cannot run, as something upstream has failed or was cancelled.
        static let blocked = Flags(rawValue: 1 << 5)
        /// Blocked by a failure, at least.
        static let blockedByFailure = Flags(rawValue: 1 << 6)
        /// Somebody wants to hear of its changes.
        static let tells = Flags(rawValue: 1 << 7)
        /// Its own class may want to hear how it ends, is reset or retried.
        static let hasHooks = Flags(rawValue: 1 << 27)
        /// Some tasks of Swift wait for its end.
        static let awaited = Flags(rawValue: 1 << 8)
        /// Has options that aren't the defaults, in the side table.
        static let hasOptions = Flags(rawValue: 1 << 9)
        /// Its body is over when it has both returned and ended.
        static let endsByCall = Flags(rawValue: 1 << 10)
        /// The call that began the live body has returned.
        static let hasReturned = Flags(rawValue: 1 << 11)
        /// The live attempt has ended, or was stopped.
        static let bodyIsDone = Flags(rawValue: 1 << 12)
        /// Nobody can end the attempt by name any more.
        static let letGo = Flags(rawValue: 1 << 13)
        /// An attempt was stopped that never reported an end.
        static let unreported = Flags(rawValue: 1 << 14)
        /// An external condition.
        static let condition = Flags(rawValue: 1 << 15)
        /// A condition that fails when it is unfulfilled.
        static let failsUnfulfilled = Flags(rawValue: 1 << 16)
        /// A condition that is fulfilled.
        static let fulfilled = Flags(rawValue: 1 << 17)
        /// Guards others and runs when they have settled.
        static let cleanup = Flags(rawValue: 1 << 18)
        /// Was begun since it was last reset.
        static let began = Flags(rawValue: 1 << 19)
        /// Runs on an operation queue.
        static let onQueue = Flags(rawValue: 1 << 20)
        /// Holds places of pools or of the workflow's limit while a body is live.
        static let holdsPlaces = Flags(rawValue: 1 << 21)
        /// Waits in the line for places.
        static let inLine = Flags(rawValue: 1 << 22)
        /// Has asked for places of pools.
        static let hasPools = Flags(rawValue: 1 << 23)
        /// Executing without a body: a fulfilment or somebody else ends it.
        static let waitsOutside = Flags(rawValue: 1 << 24)

        /// Has a workflow inside.
        static let subworkflow = Flags(rawValue: 1 << 25)

        /// Counts as busy.
        static let counted = Flags(rawValue: 1 << 26)

        /// Some task that is no cleanup depends on it.
        static let hasDependents = Flags(rawValue: 1 << 28)
        /// A cleanup that was cancelled as nothing it guards had begun.
        static let notNeeded = Flags(rawValue: 1 << 29)
        /// Was handed to an operation queue or the executor, which may still know of it.
        static let handed = Flags(rawValue: 1 << 30)

        /// What a task that waits to begin carries; gone when it begins or is stopped.
        static let waiting: Flags = [.queued, .startDue, .backoff, .readyDue, .inLine]
    }
}

/// The rest of what is known of a task.
struct TaskPart {
    /// What is run in an attempt.
    enum Work {
        /// Nothing: the attempt finishes as it begins.
        case nothing
        /// Returns the result on the thread it is called on.
        case closure(@Sendable () throws -> any Sendable)
        case async(AsyncBody)
        case object(WorkflowTask)
    }

    var work: Work
    /// The result of a Finished task, the `TaskFailure` of a Failed one.
    var value: (any Sendable)?
    /// When it finished or failed, in nanoseconds of the clock's uptime.
    var endedAt: Int64 = 0
    /// Counts the times it was handed to a queue or stood in line, so that what is stale does nothing.
    var ticket: UInt32 = 0
    /// Its prerequisites are `edges[firstEdge..<firstEdge + edgeCount]`.
    let firstEdge: Int32
    let edgeCount: Int32
}

/// The body of a task as a closure that returns its result after some waiting.
final class AsyncBody: Sendable {
    let run: @Sendable () async throws -> any Sendable
    init(_ run: @escaping @Sendable () async throws -> any Sendable) { self.run = run }
}

/// One prerequisite of one task.
struct TaskEdge {
    let prerequisite: Int32
    let dependent: Int32
    /// The next edge from the same prerequisite; -1 at the end.
    var next: Int32 = -1
    var allowsFailure = false
    /// The dependent is a cleanup, which waits for the prerequisite to end, however it does.
    var guards = false
}

/// What a Failed task keeps: its error, which may be none.
final class TaskFailure: Sendable {
    let error: (any Error)?
    /// What the error says; asked for here, as it is the user's code that answers, which must not run under a lock.
    let text: String

    init(_ error: (any Error)?) {
        self.error = error
        text = errorText(error)
    }
}
