import SteplineEngine
import SteplineSupport

/// The hot part of a task: what is read whenever the task, or one of its prerequisites, changes.
///
/// Kept small and apart from ``TaskPart``, as there may be millions.
struct TaskNode {
    /// The properties of a task; nearly all are fixed when it is added.
    struct Traits: OptionSet {
        let rawValue: UInt16

        /// The task may have observers, callbacks or a delegate.
        static let watched = Traits(rawValue: 1 << 0)
        /// Its class may override `didFinish` and the other hooks.
        static let hasHooks = Traits(rawValue: 1 << 1)
        /// Its attempt is over when it has both returned and ended, as that of a `main()`.
        static let endsByCall = Traits(rawValue: 1 << 2)
        static let condition = Traits(rawValue: 1 << 3)
        static let subworkflow = Traits(rawValue: 1 << 4)
        static let cleanup = Traits(rawValue: 1 << 5)
        /// The task has options that aren't the defaults: pools, limits of time.
        static let hasRareState = Traits(rawValue: 1 << 6)
        static let hasPools = Traits(rawValue: 1 << 7)
        /// Its body runs in an operation queue or an executor.
        static let isExternal = Traits(rawValue: 1 << 8)
        /// The journal of a durable run records its ends before they count.
        static let durable = Traits(rawValue: 1 << 9)
        /// A durable run may take its result over from another run.
        static let cached = Traits(rawValue: 1 << 10)
    }

    /// Facts that hold until the next change.
    struct Facts: OptionSet {
        let rawValue: UInt8

        /// The listeners of its last change are still to be notified; its dependents wait for that.
        static let listenersPending = Facts(rawValue: 1 << 0)
        /// An attempt has begun since it was last reset.
        static let began = Facts(rawValue: 1 << 1)
        /// The object of its attempt was freed, so only `task.finish` can end the attempt.
        static let released = Facts(rawValue: 1 << 2)
        /// A cleanup that was cancelled, as nothing it guards had begun.
        static let unneeded = Facts(rawValue: 1 << 3)
        /// A Swift task awaits its end.
        static let awaited = Facts(rawValue: 1 << 4)
        /// Its body and result were freed, or are once its body is over; no message reaches it.
        static let forgotten = Facts(rawValue: 1 << 5)
        /// The task is forgotten, and its values are released.
        static let emptied = Facts(rawValue: 1 << 6)
        /// The store has an attempt of an earlier process of a durable run, and none has begun in this process.
        static let begunBefore = Facts(rawValue: 1 << 7)
    }

    /// The reason that keeps a Pending task from ever running by itself.
    enum Blockage: UInt8, Comparable {
        case none
        /// A cancellation upstream.
        case cancellation
        /// A failure upstream, at least.
        case failure

        static func < (left: Blockage, right: Blockage) -> Bool { left.rawValue < right.rawValue }
    }

    var state = WorkflowTask.State.ready
    var attempt = Attempt()
    var traits: Traits = []
    var facts: Facts = []
    var blockage = Blockage.none
    var priority = Priority.normal
    /// No task that isn't a cleanup depends on it.
    var isLeaf = true
    /// How many prerequisites aren't satisfied.
    var missing: Int32 = 0

    /// Whether it has ended, and its listeners have been notified.
    @inline(__always)
    var isReleased: Bool { (state == .finished || state == .failed) && !facts.contains(.listenersPending) }

    /// Whether it will change by itself.
    @inline(__always)
    var isBusy: Bool { attempt.isBusy || facts.contains(.listenersPending) }

    /// Whether it counts against the limit; a waiting condition doesn't, nor a task that waits for the workflow inside
    /// it.
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

    // MARK: Plain tasks

    // The fast path of a task without traits; see `TaskTable`.

    @inline(__always)
    private var isPlain: Bool { traits.isEmpty && facts.isEmpty }

    @inline(__always)
    mutating func enqueuePlain() -> Bool {
        // In any other phase an earlier attempt may have a live body or a timer.
        guard isPlain, state == .pending, case .waiting = attempt.phase, attempt.enqueue() else {
            return false
        }
        state = .ready
        return true
    }

    @inline(__always)
    mutating func beginPlain() -> UInt32? {
        guard isPlain, state == .ready, let number = attempt.begin() else { return nil }
        state = .executing
        facts = .began
        return number
    }

    @inline(__always)
    mutating func finishPlain(_ number: UInt32) -> Bool {
        guard traits.isEmpty, facts == .began, attempt.bodySucceeded(number) else { return false }
        state = .finished
        return true
    }

    /// Whether it keeps its workflow from being complete.
    @inline(__always)
    var isOpenLeaf: Bool {
        // A failed or cancelled leaf stays open: a retry may still finish it.
        isLeaf && state != .finished && facts.isDisjoint(with: [.unneeded, .forgotten])
    }
}

/// The cold part of a task.
struct TaskPart {
    /// The work of an attempt.
    enum Work: Sendable {
        /// Nothing: the attempt finishes as it begins.
        case nothing
        /// Returns the result on the thread it is called on.
        case closure(@Sendable () throws -> any Sendable)
        case async(any AsyncBody)
        case object(WorkflowTask)

        /// Calls the closure without retaining it; nil for other work.
        @inline(__always)
        func callClosure() throws -> (any Sendable)? {
            guard case .closure(let body) = self else { return nil }
            return try body()
        }
    }

    var work: Work
    /// The result of a Finished task, the `TaskFailure` of a Failed one, the `CancellationReason` of a Cancelled one;
    /// before the first end the `ResultType`, if known.
    var value: (any Sendable)?
    /// When it finished or failed.
    var endedAt = Instant.zero

    @inline(__always)
    mutating func finish(_ value: inout (any Sendable)?, at time: Instant) {
        // A swap moves bytes. For an assignment the compiler calls the runtime twice.
        swap(&self.value, &value)
        endedAt = time
    }
}

/// The type that a task's result will have; stored in place of the result until there is one.
struct ResultType: Sendable {
    let type: any Sendable.Type
    init(_ type: any Sendable.Type) { self.type = type }
}

/// The body of a task, or of several tasks, as an `async` function.
protocol AsyncBody: AnyObject, Sendable {
    /// Returns the result of the task with this number.
    func run(_ number: Int32) async throws -> any Sendable

    /// Returns the name of the task with this number, unless the task was given one; nil for the usual default.
    func name(of number: Int32) -> String?
}

extension AsyncBody {
    func name(of number: Int32) -> String? { nil }
}

/// The body of one task as an `async` closure.
final class AsyncClosure: AsyncBody {
    private let body: @Sendable () async throws -> any Sendable
    init(_ body: @escaping @Sendable () async throws -> any Sendable) { self.body = body }
    func run(_ number: Int32) async throws -> any Sendable { try await body() }
}

/// The error of a Failed task, or nil if it was failed without one.
final class TaskFailure: Sendable {
    let error: (any Error)?
    /// The error's text; made here, as the error's code is a user's and must not run under a lock.
    let text: String

    /// Creates the failure of an attempt.
    ///
    /// - Parameters:
    ///   - error: The error; nil for none.
    ///   - noRetry: The reason why no attempt follows, although the retry policy has more.
    init(_ error: (any Error)?, noRetry: String? = nil) {
        self.error = error
        let reason = noRetry.map { " (not retried: \($0))" } ?? ""
        text = (error.map { ErrorText.line($0) } ?? "no error given") + reason
    }
}
