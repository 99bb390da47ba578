import SteplineEngine
import SteplineSupport

/// What is looked at whenever something happens to a task or to one of its prerequisites; small, as there are many.
struct TaskNode {
    /// What a task is, from its adding on.
    struct Traits: OptionSet {
        let rawValue: UInt16

        /// Somebody may hear of its changes: an observer, a callback, a delegate.
        static let watched = Traits(rawValue: 1 << 0)
        /// Its own class may want to hear how it ends, is reset or retried.
        static let hasHooks = Traits(rawValue: 1 << 1)
        /// Its attempt is over when it has both returned and ended, as that of a `main()`.
        static let endsByCall = Traits(rawValue: 1 << 2)
        static let condition = Traits(rawValue: 1 << 3)
        static let subworkflow = Traits(rawValue: 1 << 4)
        static let cleanup = Traits(rawValue: 1 << 5)
        /// It has terms: options, pools, limits of time.
        static let hasTerms = Traits(rawValue: 1 << 6)
        static let hasPools = Traits(rawValue: 1 << 7)
        /// Its body runs in an operation queue or an executor.
        static let isHanded = Traits(rawValue: 1 << 8)
        /// What becomes of it is kept before it is told.
        static let durable = Traits(rawValue: 1 << 9)
        /// A run that is kept may take its result over from another.
        static let cached = Traits(rawValue: 1 << 10)
    }

    /// What holds until something else happens to it.
    struct Facts: OptionSet {
        let rawValue: UInt8

        /// Its last change isn't told to all who hear of it first; what follows from it waits for that.
        static let untold = Facts(rawValue: 1 << 0)
        /// An attempt has begun since it was last reset.
        static let began = Facts(rawValue: 1 << 1)
        /// Nobody can end the attempt by name any more.
        static let letGo = Facts(rawValue: 1 << 2)
        /// A cleanup that was cancelled, as nothing it guards had begun.
        static let unneeded = Facts(rawValue: 1 << 3)
        /// Somebody awaits its end.
        static let awaited = Facts(rawValue: 1 << 4)
        /// What it held was freed, or is once its body is over; no message reaches it.
        static let forgotten = Facts(rawValue: 1 << 5)
        /// It is forgotten, and what it held was freed.
        static let emptied = Facts(rawValue: 1 << 6)
    }

    /// What keeps a Pending task from ever running by itself.
    enum Hindrance: UInt8, Comparable {
        case none
        /// A cancellation upstream.
        case cancellation
        /// A failure upstream, at least.
        case failure

        static func < (left: Hindrance, right: Hindrance) -> Bool { left.rawValue < right.rawValue }
    }

    var state = WorkflowTask.State.ready
    var attempt = Attempt()
    var traits: Traits = []
    var facts: Facts = []
    var hindrance = Hindrance.none
    var priority = Priority.normal
    /// No task that isn't a cleanup depends on it.
    var isLeaf = true
    /// How many prerequisites aren't satisfied.
    var missing: Int32 = 0

    /// Whether its end is known to all who had to hear of it first.
    @inline(__always)
    var isReleased: Bool { (state == .finished || state == .failed) && !facts.contains(.untold) }

    /// Whether something will happen to it without anybody asking for more.
    @inline(__always)
    var isBusy: Bool { attempt.isBusy || facts.contains(.untold) }

    /// Whether it counts against the limit: a condition that waits holds nothing, nor does who waits for its inside.
    @inline(__always)
    var hasBody: Bool {
        guard attempt.hasBody else { return false }
        return traits.isDisjoint(with: [.condition, .subworkflow]) || !hasReturned
    }

    /// Whether the call that began its body has returned, and only the end is awaited.
    private var hasReturned: Bool {
        switch attempt.phase {
        case .running(.returned), .stopping(.returned, _): true
        default: false
        }
    }

    /// Whether it is a condition that waits to be fulfilled.
    var waitsOutside: Bool { traits.contains(.condition) && attempt.phase == .running(.returned) }

    /// Whether it keeps its workflow from being complete.
    @inline(__always)
    var isOpenLeaf: Bool {
        isLeaf && state != .finished && facts.isDisjoint(with: [.unneeded, .forgotten])
    }
}

/// The rest of what is known of a task.
struct TaskPart {
    /// What is run in an attempt.
    enum Work: Sendable {
        /// Nothing: the attempt finishes as it begins.
        case nothing
        /// Returns the result on the thread it is called on.
        case closure(@Sendable () throws -> any Sendable)
        case async(AsyncBody)
        case object(WorkflowTask)
    }

    var work: Work
    /// The result of a Finished task, the `TaskFailure` of a Failed one, the `CancellationReason` of a Cancelled one;
    /// before the first end the `ResultType`, if known.
    var value: (any Sendable)?
    /// When it finished or failed.
    var endedAt = Instant.zero
}

/// The type that a task's result will have: what stands in its place until it has one.
struct ResultType: Sendable {
    let type: any Sendable.Type
    init(_ type: any Sendable.Type) { self.type = type }
}

/// The body of a task as a closure that returns its result after some waiting.
final class AsyncBody: Sendable {
    let run: @Sendable () async throws -> any Sendable
    init(_ run: @escaping @Sendable () async throws -> any Sendable) { self.run = run }
}

/// What a Failed task keeps: its error, which may be none.
final class TaskFailure: Sendable {
    let error: (any Error)?
    /// What the error says; asked for here, as it is a user's code that answers, which must not run under a lock.
    let text: String

    init(_ error: (any Error)?) {
        self.error = error
        text = error.map { ErrorText.line($0) } ?? "no error given"
    }
}
