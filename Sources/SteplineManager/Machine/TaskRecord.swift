import SteplineEngine
import SteplineSupport

/// The state of one added task in the machine; ``TypedRecord`` and ``Job`` add the typed values.
///
/// The stages and their transitions are described in ``TaskStage``. The manager's lock protects all variables. After
/// the end the record doesn't change, and callbacks read it without the lock.
class TaskRecord: @unchecked Sendable {  // the lock of its manager protects all variables
    let terms: TaskTerms

    /// The identity, set at the addition, before the record is shared.
    final var identifier = ManagedTaskID(manager: 0, number: 0)
    /// The state of the bodies, through all attempts.
    final var attempt = Attempt()
    final var stage = TaskStage.notStarted
    /// The time at which the stage began.
    final var since = Instant.zero
    /// The time at which the task was added.
    final var added = Instant.zero
    final var priority = Priority.normal
    /// The time limit of the current attempt.
    final var timeout: Duration?
    /// The place among all unfinished records.
    final var listIndex = 0
    /// Whether only a call can move the record on.
    final var isUnmoved = false
    /// The order in which the record became ready, or joined a run.
    final var order = 0
    /// The moment of ``ManagerMachine/nextMoment()`` at which the attempt began, with its interception; 0 before.
    final var attemptMark = 0
    /// The place among the ready tasks.
    final var stand = ReadyStand()
    /// Whether the record runs without asking the interceptors again.
    final var skipsInterception: Bool
    /// The runner of the body.
    final var runner: Runner?
    /// Whether the stored result is a success.
    final var hasSucceeded = false
    final var reaction: Reaction?
    /// The reactors' positive answers so far, and the index of the first reactor to ask.
    final var answers: [ReactorAnswer] = []
    final var firstToAsk = 0
    /// The outcome.
    final var ending: TaskEnding?
    /// The manager's error at the end, even if the outcome is another one.
    final var endError: TaskManagerError?
    final var states = EventReaders<TaskState>()
    final var callbacks = Callbacks<Void>()
    private var waiters = Waiters()

    init(_ terms: TaskTerms) {
        self.terms = terms
        skipsInterception = terms.skipsInterception
    }

    final var name: String { terms.name }
    final var tags: Set<String> { terms.tags }

    /// The current or last attempt; 0 before the first.
    final var attemptNumber: Int { Int(attempt.number) }

    /// Whether the record was requeued at least once.
    final var isRequeued: Bool { attempt.number > 0 || reaction?.requeues == true }

    /// Returns a manager's error about this record.
    final func error(
        _ code: TaskManagerError.Code, actor: String? = nil, underlying: (any Error)? = nil
    ) -> TaskManagerError {
        TaskManagerError(
            code, task: name, handle: identifier, attempt: attemptNumber, actor: actor, underlying: underlying
        )
    }

    // MARK: Who waits

    /// Adds a waiter for the end; returns false if the record has ended.
    final func addWaiter(_ waiter: any Waiter) -> Bool {
        // The end has taken all waiters: a later one would never be woken.
        guard stage.end == nil else { return false }
        waiters.add(waiter)
        return true
    }

    final func removeWaiter(_ waiter: any Waiter) { waiters.remove(waiter) }

    final func takeWaiters() -> [any Waiter] { waiters.takeAll() }

    // MARK: What is typed

    /// Stores a copy of the task for a use outside the lock; called under the lock.
    func checkOut(for use: TaskUse) {}

    /// Returns the task and its result as the reactors are to see them; called under the lock.
    ///
    /// A question that exceeded the time limit may go on beside the next one about the same record. Each question
    /// therefore carries a copy of its own.
    func copyForReactors() -> ReactionCopy { ReactionCopy() }

    /// Takes over the interceptors' changed copy; called under the lock.
    ///
    /// The original task is kept: a repeated interception begins with the original.
    func checkIn() {}

    /// Clears the copy for a use that is over; returns the values to release after unlock.
    func takeBack(from use: TaskUse) -> TaskLeftovers { TaskLeftovers() }

    /// Restores the original task for the interceptors; returns the replaced one for release after unlock.
    func restoreTask() -> (any AnyObject & Sendable)? { nil }

    /// Stores the result of an attempt; returns the replaced one for release after unlock.
    func keep(_ end: BodyEnd) -> (any AnyObject & Sendable)? { nil }

    /// The error of a failed record; nil before its end.
    var failure: (any Error)? { nil }

    /// Stores the outcome; returns the values that aren't needed any more.
    func conclude(with ending: TaskEnding) -> TaskLeftovers {
        self.ending = ending
        // The runs still list this record, but `close` skips it because of its stage.
        reaction = nil
        return TaskLeftovers()
    }

    // MARK: User code, called without the lock

    /// Asks an interceptor about the task.
    func intercept(
        with interceptor: any Interceptor, _ context: InterceptContext
    ) async throws -> InterceptCommand { .execute }

    /// How long the attempt that is to begin may take.
    var bodyLimit: Duration? { terms.timeout }

    /// Runs one attempt.
    func execute() async -> BodyEnd { BodyEnd(result: nil, hasSucceeded: false) }

    /// The end of an attempt that fails without its body, or behind it.
    func failed(with error: any Error) -> BodyEnd { BodyEnd(result: nil, hasSucceeded: false) }

    /// Asks a reactor about a result.
    func ask(_ reactor: any Reactor, about copy: ReactionCopy, _ context: ReactionContext) async -> Bool {
        false
    }

    /// Asks a reactor that said yes how long the task is to wait at least.
    func wait(
        for reactor: any WaitingReactor, about copy: ReactionCopy, _ context: ReactionContext
    ) -> Duration? { nil }

    /// Notifies the task, as it was when it ended, of the error.
    func didCancel(_ leftovers: TaskLeftovers, because error: TaskManagerError) {}
}

extension TaskRecord: Hashable {
    static func == (left: TaskRecord, right: TaskRecord) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The uses of a copy of a record's task.
enum TaskUse {
    case interceptors, body
}

/// A task and the result of its last attempt, for one question to the reactors.
struct ReactionCopy: Sendable {
    var task: (any AnyObject & Sendable)?
    var result: (any AnyObject & Sendable)?
}
