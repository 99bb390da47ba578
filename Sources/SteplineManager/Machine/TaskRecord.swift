import SteplineEngine
import SteplineSupport

/// Everything the machine knows of one added task; what is typed is in ``TypedRecord`` and ``Job``.
class TaskRecord: @unchecked Sendable {  // the lock of its manager protects all variables
    let terms: TaskTerms

    /// Set when it is added, before anybody else sees it.
    final var identifier = ManagedTaskID(manager: 0, number: 0)
    /// The life of its bodies, through all attempts.
    final var attempt = Attempt()
    final var stage = TaskStage.notStarted
    /// When the stage began.
    final var since = Instant.zero
    final var priority = Priority.normal
    /// The limit of the attempt under way.
    final var timeout: Duration?
    /// The place among all unfinished records.
    final var listIndex = 0
    /// Whether only somebody could move it on.
    final var isUnmoved = false
    /// The order in which it became ready, or joined a run.
    final var order = 0
    /// The machine's count of moments when this attempt, with its interception, began.
    final var attemptMark = 0
    /// Where it stands among those that are ready.
    final var stand = ReadyStand()
    /// It runs without asking the interceptors again.
    final var skipsInterception: Bool
    /// Who runs its body.
    final var runner: Runner?
    /// Whether the kept result is a success.
    final var hasSucceeded = false
    final var reaction: Reaction?
    /// Which reactors have said yes to the result so far, and who is to be asked next.
    final var answers: [ReactorAnswer] = []
    final var firstToAsk = 0
    /// What it ended with.
    final var ending: TaskEnding?
    /// The manager's error that it ended with, also where that isn't its outcome.
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

    /// The attempt under way, or the last; 0 before the first.
    final var attemptNumber: Int { Int(attempt.number) }

    /// Whether it was to run again at least once.
    final var isRequeued: Bool { attempt.number > 0 || reaction?.requeues == true }

    /// An error of the manager's about it.
    final func error(
        _ code: TaskManagerError.Code, actor: String? = nil, underlying: (any Error)? = nil
    ) -> TaskManagerError {
        TaskManagerError(
            code, task: name, handle: identifier, attempt: attemptNumber, actor: actor, underlying: underlying
        )
    }

    // MARK: Who waits

    /// Keeps who waits for the end; false if it has come.
    final func addWaiter(_ waiter: any Waiter) -> Bool {
        guard stage.end == nil else { return false }
        waiters.add(waiter)
        return true
    }

    final func removeWaiter(_ waiter: any Waiter) { waiters.remove(waiter) }

    final func takeWaiters() -> [any Waiter] { waiters.takeAll() }

    // MARK: What is typed

    /// Hands a copy of the task to those who ask interceptors, run the body or ask reactors; called under the lock,
    /// so that these need none.
    func checkOut(for use: TaskUse) {}

    /// Takes back what interceptors have made of their copy; called under the lock.
    ///
    /// It replaces the task as it was added, which is kept: who passes the interceptors again was restored.
    func checkIn() {}

    /// Hands out the copies of a use that is over, to be let go outside the lock.
    func takeBack(from use: TaskUse) -> TaskLeftovers { TaskLeftovers() }

    /// Makes the task as it was added the one that interceptors see, and hands out what it replaces.
    func restoreTask() -> (any AnyObject & Sendable)? { nil }

    /// Keeps the result of an attempt, and hands out the one before.
    func keep(_ end: BodyEnd) -> (any AnyObject & Sendable)? { nil }

    /// Fixes what it ended with, and hands out what nobody needs any more.
    func conclude(with ending: TaskEnding) -> TaskLeftovers {
        self.ending = ending
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

    /// Asks a reactor about the kept result.
    func ask(_ reactor: any Reactor, _ context: ReactionContext) async -> Bool { false }

    /// Asks a reactor that said yes how long the task is to wait at least.
    func wait(for reactor: any WaitingReactor, _ context: ReactionContext) -> Duration? { nil }

    /// Notifies the task, as it was when it ended, of the error.
    func didCancel(_ leftovers: TaskLeftovers, because error: TaskManagerError) {}
}

extension TaskRecord: Hashable {
    static func == (left: TaskRecord, right: TaskRecord) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Who works with a copy of a record's task.
enum TaskUse {
    case interceptors, body, reactors
}
