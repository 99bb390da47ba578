import SteplineEngine
import SteplineSupport

/// The decisions of one manager, as a value: it starts no thread and calls no user code.
///
/// | Part | Owns |
/// | --- | --- |
/// | `register` | all unfinished records, totals, the tasks that wait for idleness |
/// | `ready` | the ready records, slots, lanes, pause and suspension |
/// | `begun` | attempts whose code waits for a runner |
/// | `interception` | the queue for the interceptors and the current question |
/// | `holds` | the tasks that interceptors hold |
/// | `asking` | the queue for the reactors and the current question |
/// | `runs` | the reactors' runs |
/// | `telling` | the events |
/// | `watchdog` | the reported stalls |
///
/// A task moves between the parts as ``TaskStage`` describes. ``TaskRecord`` is its state.
///
/// Every method runs under the engine's lock, called by ``ManagerCore/update(on:_:)`` or by a timer. Each transaction
/// ends with ``settle(_:_:)``. Runners, which are Swift tasks, take their work with ``nextWork(for:_:)``. At most one
/// runner is coming or polling at a time; each runner that takes work lets the next one come.
///
/// Invariants: interceptors are asked about one task at a time, and so are reactors. No more bodies count than there
/// are slots. A record that has ended never changes.
///
/// Costs: adding, beginning and ending a task is constant time, apart from the line of ready tasks. The watch,
/// `cancelAll` and `explain` are linear in the unfinished tasks.
struct ManagerMachine: Machine {
    typealias Effect = ManagerEffect
    typealias Timer = ManagerTimer

    /// Whether the manager accepts tasks.
    enum Admission { case open, shuttingDown, shut }

    let rules: ManagerRules
    var register: TaskRegister
    var ready: ReadyTasks
    /// The attempts whose code hasn't begun.
    var begun = FIFO<(record: TaskRecord, attempt: UInt32)>()
    var interception = Turns()
    var holds: Holds
    var asking = Turns()
    var runs: ReactorRuns
    var telling: ManagerTelling
    var watchdog: Watchdog
    var admission = Admission.open
    /// Whether the manager was released.
    var isReleased = false
    /// The number of moments so far, which define the order of events.
    private var moments = 0
    /// Whether a runner was started and has taken no work yet, or polls for work.
    private var isRunnerComing = false
    /// The notifications of the current transaction, which follow all its other effects.
    private var news: [TaskNews] = []

    init(
        identifier: Int, _ rules: ManagerRules, maximumConcurrency: Int?, watchdog: Duration?, log: StepLog
    ) {
        self.rules = rules
        register = TaskRegister(manager: identifier)
        ready = ReadyTasks(limit: maximumConcurrency.map { max($0, 0) })
        holds = Holds(interceptors: rules.interceptors.count)
        runs = ReactorRuns(reactors: rules.reactors.count)
        telling = ManagerTelling(log: log)
        self.watchdog = Watchdog(patience: watchdog)
    }

    /// Returns the next moment: a sequence number that orders events, unlike `turn.now`, which measures time.
    mutating func nextMoment() -> Int {
        moments += 1
        return moments
    }

    mutating func tell(
        _ kind: ManagerEvent.Kind, of record: TaskRecord? = nil, name: String? = nil, attempt: Int? = nil,
        _ turn: inout ManagerTurn
    ) {
        telling.tell(kind, of: record, name: name, attempt: attempt, &turn)
    }

    /// Moves a record to a stage and notifies the readers of its states.
    mutating func move(_ record: TaskRecord, to stage: TaskStage, _ turn: inout ManagerTurn) {
        record.stage = stage
        record.since = turn.now
        // The state is computed only for readers.
        guard !record.states.isEmpty else { return }
        record.states.send(state(of: record), &turn)
        if stage.end != nil { record.states.finish(&turn) }
    }

    mutating func tell(_ news: TaskNews) {
        register.tells(news.count)
        self.news.append(news)
    }

    // MARK: Waiters

    /// Wakes a waiter, after the log's lines that aren't written yet.
    func wake(_ waiter: any Waiter, _ turn: inout ManagerTurn) {
        if turn.hasPendingNews { turn.tell(.wake(waiter)) } else { turn.order(.wake(waiter)) }
    }

    /// Wakes the waiter of an end that is known once its line is written; returns false if no other thread writes.
    func wakesLater(_ waiter: any Waiter, _ turn: inout ManagerTurn) -> Bool {
        // A sink that waits on this thread would wait for itself.
        guard turn.isTellingElsewhere else { return false }
        turn.tell(.wake(waiter))
        return true
    }

    // MARK: The end of a turn

    /// Ends a transaction: starts a runner for waiting work, and records the notifications.
    mutating func settle(_ thread: TaskNews.Thread, _ turn: inout ManagerTurn) {
        // A coming runner starts the next one itself, in the transaction that takes its work.
        if hasWork, !isRunnerComing {
            isRunnerComing = true
            turn.order(.startRunner)
        }
        // An idle manager has no pending notification, so these waiters can't precede a callback.
        for waiter in register.takeIdleWaiters() { wake(waiter, &turn) }
        guard !news.isEmpty else { return }
        // `end` doesn't know its caller: the transaction decides which thread calls the callbacks.
        for var one in news {
            one.thread = thread
            turn.order(.tell(one))
        }
        news = []
    }

    mutating func timerFired(_ timer: ManagerTimer, _ turn: inout ManagerTurn) {
        switch timer {
        case .delay(let record): delayIsOver(record, &turn)
        case .timeout(let record): timeIsOver(record, &turn)
        case .deadline(let record): deadlineHasPassed(record, &turn)
        case .grace(let record): graceIsOver(record, &turn)
        case .hold(let position), .holdLimit(let position): holdIsOver(position, &turn)
        case .run(let reactor): runTimedOut(reactor, &turn)
        case .runGrace(let reactor):
            // The old body is given up, so the next run can begin.
            if let order = runs.giveUpBody(of: reactor) { turn.order(.beginRun(order)) }
        case .interception: checkInterceptionAnswer(&turn)
        case .asking: checkReactionAnswer(&turn)
        case .watchdog: watch(&turn)
        }
        // Timers bypass `ManagerCore.update`. Callbacks must not run on the clock's thread.
        settle(.other, &turn)
    }

    // MARK: Runners

    /// Whether work waits for a runner.
    var hasWork: Bool { !begun.isEmpty || asking.isWaiting || interception.isWaiting }

    /// Handles a runner that has started, or has polled; returns its work, or nil if it may end.
    mutating func arrive(_ runner: Runner, _ turn: inout ManagerTurn) -> Work? {
        isRunnerComing = false
        return nextWork(for: runner, &turn)
    }

    /// Returns whether a runner without work should poll; only one runner polls.
    mutating func standBy() -> Bool {
        // Another runner polls already.
        guard !isRunnerComing else { return false }
        isRunnerComing = true
        return true
    }

    /// Returns the next work of a runner.
    mutating func nextWork(for runner: Runner, _ turn: inout ManagerTurn) -> Work? {
        // The order: finish tasks that have run, begin ready tasks, then intercept new ones.
        while let record = asking.next(for: runner, at: turn.now) {
            if case .asked = record.stage { return beginAsking(record, &turn) }
            // The task ended while it waited for its question: continue with the next record.
            asking.skip()
            turn.releaseAfterUnlock(record)
        }
        while let (record, attempt) = begun.popFirst() {
            if record.attempt.isRunning(attempt) {
                // Known before the code begins: a stop can cancel the runner from here on.
                record.runner = runner
                return .body(record, attempt: attempt)
            }
            // An attempt that ended before its code began must not begin.
            release(record.takeBack(from: .body), &turn)
            bodyEnded(record, attempt: attempt, nil, &turn)
            turn.releaseAfterUnlock(record)
        }
        while let record = interception.next(for: runner, at: turn.now) {
            if case .awaitingTurn = record.stage { return beginIntercepting(record, &turn) }
            interception.skip()
            turn.releaseAfterUnlock(record)
        }
        return nil
    }

    func release(_ leftovers: TaskLeftovers, _ turn: inout ManagerTurn) {
        turn.releaseAfterUnlock(leftovers.original)
        turn.releaseAfterUnlock(leftovers.current)
        turn.releaseAfterUnlock(leftovers.result)
    }
}

/// The next work of a runner.
enum Work {
    case body(TaskRecord, attempt: UInt32)
    /// Ask the interceptors before an attempt.
    case interception(TaskRecord, attempt: Int, heldCounts: [Int], round: Int, TurnProgress)
    /// Ask the reactors after an attempt, beginning with the reactor at index `first`.
    case asking(
        TaskRecord, ReactionCopy, attempt: Int, first: Int, requeues: [Int: Int], round: Int, TurnProgress)
}
