import SteplineSupport

/// Everything the machine knows about one added task; what is typed is in ``TypedRecord`` and ``Job``.
class TaskRecord: @unchecked Sendable {  // the lock of `core` protects all variables
    /// Where the task is, for the machine.
    enum Phase {
        case notStarted, delayed, awaitingTurn, intercepting, held(by: Int), queued, live, asked, reacting
        case backingOff, ended
    }

    /// Set when it is added, before anybody else sees it.
    final var identifier = ManagedTaskID(manager: 0, number: 0)
    let name: String
    let tags: Set<String>
    let core: ManagerCore

    final var phase = Phase.notStarted
    final var outcome: TaskState.Outcome?
    final var attempt = 0
    final var priority = TaskManager.Priority.normal
    /// When the phase began.
    final var since = Duration.zero
    final var delay = Duration.zero
    /// The limit of an attempt that was given with `add`, never changed after; and the one that holds now.
    final var limit: Duration?
    final var timeout: Duration?
    final var deadline: Duration?
    /// Its place among those that are ready.
    final var order = 0
    final var queueTicket = 0
    final var listIndex = 0
    /// The machine's count of moments when this attempt, with its interception, began.
    final var attemptMark = 0
    final var timer = RecordTimer()
    final var deadlineTimer: Subscription?
    /// Added inside a run: it begins in spite of suspension and pause, and that reactor isn't asked.
    final var exemptReactor: Int?
    final var skipsInterception = false
    /// The lane that its body takes, whether it is on it, and whether it waits for it.
    final var lane: TaskLane?
    final var isOnLane = false
    final var isParked = false
    final var lends = 0
    /// The attempt whose code has returned and is to call its completion.
    final var waitsForCompletion = 0
    /// Who runs its body.
    final var runner: Runner?
    final var bodyIsStopped = false
    /// Whether the kept result is a success.
    final var hasSucceeded = false
    final var reaction: Reaction?
    /// Which reactors have said yes to the result so far, and who is to be asked next.
    final var answers: [ReactorAnswer] = []
    final var firstToAsk = 0
    final var readers: EventFanout<TaskState>?
    final var endError: TaskManagerError?
    final var completion: Delivery.Callback?
    final var observers: [Delivery.Callback] = []
    private var waiters: [Int: @Sendable () -> Void] = [:]
    private var lastWaiter = 0

    init(name: String, tags: Set<String>, core: ManagerCore) {
        self.name = name
        self.tags = tags
        self.core = core
    }

    // MARK: What is typed

    /// Hands a copy of the task to the loop that asks interceptors, to a body, or to the loop that asks reactors:
    /// called under the lock, so that these need none.
    func checkOut(for use: TaskUse) {}

    /// Takes back what interceptors have made of their copy; called under the lock.
    func checkIn() {}

    /// Hands out a runner's copy, which is to be let go outside the lock.
    func letGo(of use: TaskUse) -> Released { Released() }

    /// Asks an interceptor about the task.
    func intercept(with interceptor: any Interceptor, _ context: InterceptContext) async throws
        -> InterceptCommand
    {
        .execute
    }

    /// Makes the task as it was added the one that interceptors see.
    func restoreTask() {}

    /// Runs one attempt.
    func execute(attempt: Int) async -> BodyEnd { BodyEnd(result: nil, hasSucceeded: false) }

    /// Keeps the result of an attempt, and hands out the one before.
    func keep(_ end: BodyEnd) -> Released.Object? { nil }

    /// Asks a reactor about the kept result.
    func ask(_ reactor: any Reactor, _ context: ReactionContext) async -> Bool { false }

    /// Asks a reactor that said yes how long the task is to wait at least.
    func wait(for reactor: any WaitingReactor, _ context: ReactionContext) -> Duration? { nil }

    /// Fixes the result, lets go of the task, and hands out who is to be told.
    func conclude(_ error: (any Error)?) -> Delivery {
        var delivery = Delivery()
        if !waiters.isEmpty {
            delivery.waiters = waiters.sorted { $0.key < $1.key }.map(\.value)
            waiters = [:]
        }
        if let completion { delivery.callbacks.append(completion) }
        if !observers.isEmpty { delivery.callbacks += observers }
        completion = nil
        observers = []
        return delivery
    }

    /// Keeps who waits for the end; nil if it has come.
    final func addWaiter(_ wake: @escaping @Sendable () -> Void) -> Int? {
        guard outcome == nil else { return nil }
        lastWaiter += 1
        waiters[lastWaiter] = wake
        return lastWaiter
    }

    final func removeWaiter(_ id: Int) -> (@Sendable () -> Void)? { waiters.removeValue(forKey: id) }
}

/// What a record waits for on the clock; a late call finds another number.
struct RecordTimer {
    var number = 0
    var subscription: Subscription?
}

/// What a record's reactors have asked for.
struct Reaction {
    /// The runs that have not ended.
    var runs: Set<Int> = []
    var requeues = false
    var reintercepts = false
    var backoff = Duration.zero
    var joinOrder = 0
    /// How often each reactor has requeued it.
    var counts: [Int: Int] = [:]
}

/// Who is to be told of an end, once the lock is released.
struct Delivery {
    struct Callback {
        let context: CallbackContext
        let call: @Sendable () -> Void
    }

    /// Wakes those who wait for the result; never user code.
    var waiters: [@Sendable () -> Void] = []
    /// The task's `didCancel`.
    var didCancel: (@Sendable (TaskManagerError) -> Void)?
    /// The completion, then the other callbacks, in order of registration.
    var callbacks: [Callback] = []

    /// Whether nobody is to be told.
    var isEmpty: Bool { waiters.isEmpty && callbacks.isEmpty && didCancel == nil }

    /// What is let go, outside the lock: the task as added, as changed, and a result that doesn't count.
    var task: Released.Object?
    var changedTask: Released.Object?
    var result: Released.Object?
}

/// Who works with a copy of a record's task.
enum TaskUse {
    case interceptors, body, reactors
}
