import SteplineEngine
import SteplineSupport

/// A manager's decisions, and nothing else: it starts no thread and calls nothing of a user's.
///
/// It arranges small parts that keep their own: who is there, who is ready, whose turn it is with the interceptors and
/// the reactors, who is held, which runs are under way. A task goes from the one to the other as ``TaskStage`` says.
struct ManagerMachine: Machine {
    typealias Effect = ManagerEffect
    typealias Timer = ManagerTimer

    /// Whether it takes tasks.
    enum Door { case open, shuttingDown, shut }

    let rules: ManagerRules
    var register: TaskRegister
    var ready: ReadyTasks
    /// Attempts whose code has not begun.
    var begun = FIFO<(record: TaskRecord, attempt: UInt32)>()
    var interception = Turns()
    var holds: Holds
    var asking = Turns()
    var runs: ReactorRuns
    var telling: ManagerTelling
    var watchdog: Watchdog
    var door = Door.open
    /// Nobody holds the manager any more.
    var isReleased = false
    /// Counts moments, for the order in which things came.
    private var moments = 0
    /// Whether a runner was started that has taken nothing yet, or looks out for work.
    private var isRunnerComing = false
    /// Who is to be told, behind everything else that a turn does.
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

    /// The next moment.
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

    /// Puts a record into a stage, and tells those who read its states.
    mutating func move(_ record: TaskRecord, to stage: TaskStage, _ turn: inout ManagerTurn) {
        record.stage = stage
        record.since = turn.now
        guard !record.states.isEmpty else { return }
        record.states.send(state(of: record), &turn)
        if stage.end != nil { record.states.finish(&turn) }
    }

    mutating func tell(_ news: TaskNews) {
        register.tells(news.count)
        self.news.append(news)
    }

    // MARK: The end of a turn

    /// Every turn ends by this: somebody is called for the work that nobody does, and those are told who wait for news.
    mutating func settle(_ thread: TaskNews.Thread, _ turn: inout ManagerTurn) {
        if hasWork, !isRunnerComing {
            isRunnerComing = true
            turn.order(.startRunner)
        }
        for waiter in register.takeIdleWaiters() { turn.order(.wake(waiter)) }
        guard !news.isEmpty else { return }
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
        case .hold(let position): holdIsOver(position, &turn)
        case .run(let reactor): runTimedOut(reactor, &turn)
        case .runGrace(let reactor):
            if let order = runs.giveUpBody(of: reactor) { turn.order(.beginRun(order)) }
        case .interception: checkInterceptionAnswer(&turn)
        case .asking: checkReactionAnswer(&turn)
        case .watchdog: watch(&turn)
        }
        settle(.other, &turn)
    }

    // MARK: Runners

    /// Whether something is to be done that nobody does.
    var hasWork: Bool { !begun.isEmpty || asking.isWaiting || interception.isWaiting }

    /// A runner comes, or has waited a moment: what it is to do; nil if it may go.
    mutating func arrive(_ runner: Runner, _ turn: inout ManagerTurn) -> Work? {
        isRunnerComing = false
        return nextWork(for: runner, &turn)
    }

    /// Whether a runner out of work is to wait a moment for more: one does.
    mutating func standBy() -> Bool {
        guard !isRunnerComing else { return false }
        isRunnerComing = true
        return true
    }

    /// What a runner is to do next.
    mutating func nextWork(for runner: Runner, _ turn: inout ManagerTurn) -> Work? {
        while let record = asking.next(for: runner, at: turn.now) {
            if case .asked = record.stage { return beginAsking(record, &turn) }
            asking.skip()
            turn.letGo(of: record)
        }
        while let (record, attempt) = begun.popFirst() {
            if record.attempt.isRunning(attempt) {
                record.runner = runner
                return .body(record, attempt: attempt)
            }
            // One that ended before its code began doesn't begin it.
            letGo(record.takeBack(from: .body), &turn)
            bodyEnded(record, attempt: attempt, nil, &turn)
            turn.letGo(of: record)
        }
        while let record = interception.next(for: runner, at: turn.now) {
            if case .awaitingTurn = record.stage { return beginIntercepting(record, &turn) }
            interception.skip()
            turn.letGo(of: record)
        }
        return nil
    }

    func letGo(_ leftovers: TaskLeftovers, _ turn: inout ManagerTurn) {
        turn.letGo(of: leftovers.original)
        turn.letGo(of: leftovers.current)
        turn.letGo(of: leftovers.result)
    }
}

/// What a runner does next.
enum Work {
    case body(TaskRecord, attempt: UInt32)
    /// The interceptors are asked before an attempt.
    case interception(TaskRecord, attempt: Int, heldCounts: [Int], round: Int)
    /// The reactors are asked after an attempt, from one of them on.
    case asking(TaskRecord, attempt: Int, first: Int, requeues: [Int: Int], round: Int)
}
