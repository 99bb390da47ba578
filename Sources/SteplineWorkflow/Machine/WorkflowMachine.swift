import SteplineEngine
import SteplineSupport

/// Where a workflow and all its tasks stand: what happens is told to it, and it says what is to be done.
///
/// What it knows lies in parts that each keep their own order: the graph, the tasks with their attempts, who is ready,
/// who works, what is told. Tasks are numbers. Each event is a method; ``endTurn(_:)`` follows each.
struct WorkflowMachine: Machine {
    typealias Effect = WorkflowEffect
    typealias Timer = TaskTimer

    let options: WorkflowOptions
    private(set) var limit: Int

    var graph = TaskGraph()
    var tasks = TaskTable()
    var names: TaskNames
    var terms = TaskTerms()
    var groups = GroupTable()
    var ready = ReadyQueue()
    var handed = HandedTasks()
    var helping = Helping()
    var story: WorkflowStory
    var run = RunProgress()
    /// What is known of the tasks' being kept; nil if they aren't.
    var journaling: Journaling?

    weak var workflow: Workflow?
    /// The object whose machine this is, for what is to come back to it.
    unowned(unsafe) var core: WorkflowCore?
    /// Whether all tasks are told of: there is a delegate of the workflow, or a notification center.
    var tellsAll = false
    /// Whether somebody wants to hear of each run's end.
    var isRunHeard = false
    /// Whether it runs inside another workflow.
    var isEnclosed = false
    /// The number of the attempt of the task around that has entered this workflow last; 0 before the first.
    var enclosingAttempt: UInt32 = 0
    /// Increases with each reset or cancel of the whole workflow, and with each attempt of the task around that enters it.
    ///
    /// What that task has decided without the lock is done only if the workflow is still in the same generation.
    var generation: UInt64 = 0
    /// Whether its tasks are elements of a map, which adds them again in each process.
    var hasElements = false
    /// Whether the workflow has an operation queue or an executor.
    var hasQueue = false
    var isDisbanded = false

    init(name: String, options: WorkflowOptions, calendar: Double) {
        self.options = options
        // A limit of none would let everything wait in silence; `check()` tells of it.
        limit = Self.limit(of: options)
        names = TaskNames(name, areUnique: options.requiresUniqueNames)
        story = WorkflowStory(calendar: calendar, path: options.path, keptAttempts: options.keptAttempts)
    }

    // MARK: After each event

    /// What follows from any event: threads are called, events go to their readers, a run begins or settles.
    @inline(__always)
    mutating func endTurn(_ turn: inout WorkflowTurn) {
        if mayBeginTask, helping.call() { turn.order(.callWorker) }
        if let fresh = handed.takeFresh() { turn.order(.hand(fresh)) }
        story.flush(&turn)
        if tasks.busy == 0, run.returns == 0 {
            if !run.isSettled, !run.isSettling { settleSoon(&turn) }
        } else if run.isSettled, tasks.busy > 0 {
            run.wake(workflow)
        }
    }

    private static func limit(of options: WorkflowOptions) -> Int {
        max(1, options.maximumConcurrency ?? .max)
    }

    /// Begins no attempts until ``proceed()``.
    mutating func pause() { limit = 0 }

    mutating func proceed() {
        limit = Self.limit(of: options)
        handOnPutOff()
    }

    /// Whether a thread would find something to do.
    @inline(__always)
    var mayBeginTask: Bool { !ready.isEmpty && tasks.live < limit }

    private mutating func settleSoon(_ turn: inout WorkflowTurn) {
        run.isSettling = true
        turn.tell(.settle)
    }

    /// All that was decided before is told: unless something has begun since, nothing more happens by itself.
    mutating func settle(_ turn: inout WorkflowTurn) {
        run.isSettling = false
        guard tasks.busy == 0, run.returns == 0, !run.isSettled else { return }
        // Word of a message to tasks that nobody runs is no run.
        let isRun = run.isRunning || run.isAskedFor || tasks.begun != run.begunBefore
        let ending = ending
        if isRun { tellOwn(.settled(ending), turn) }
        turn.withdraw(TaskTimer(number: -1, kind: .deadline))
        let (runners, alive) = run.settle(begun: tasks.begun)
        if isEnclosed { turn.tell(.tellOutside(.settled)) }
        let settled = isRun && (isRunHeard || !runners.isEmpty) ? SettledRun(self) : nil
        turn.tell(.settled(settled, runners, alive))
    }

    // MARK: Telling

    /// Counts an event of a task, and makes it for those who read.
    @inline(__always)
    mutating func count(
        _ kind: @autoclosure () -> WorkflowEvent.Kind, _ number: Int32, _ turn: borrowing WorkflowTurn
    ) {
        story.countEvent()
        if story.isHeard { makeEvent(kind(), number, tasks[number].attempt.number, turn.now) }
    }

    mutating func makeEvent(
        _ kind: WorkflowEvent.Kind, _ number: Int32, _ attempt: UInt32, _ now: Instant
    ) {
        guard story.isRead else { return }
        let name = name(number)
        story.make(kind, number, name, attempt: attempt, at: now)
    }

    /// Counts an event of the workflow, and makes it for those who read.
    mutating func tellOwn(_ kind: WorkflowEvent.Kind, _ turn: borrowing WorkflowTurn) {
        story.countEvent()
        story.make(kind, nil, names.workflow, attempt: 0, at: turn.now)
    }

    /// Whether somebody is to hear of a task's changes before what follows from them.
    @inline(__always)
    func isTold(_ number: Int32) -> Bool {
        tellsAll || !tasks[number].traits.isDisjoint(with: [.watched, .hasHooks])
    }

    /// Whether somebody is to hear that an attempt begins, before its body does.
    @inline(__always)
    func isBeginTold(_ number: Int32) -> Bool { tellsAll || tasks[number].traits.contains(.watched) }

    /// Tells those who listen to a task, if there are any.
    mutating func tell(
        _ kind: TaskChange.Kind, _ number: Int32, from old: WorkflowTask.State, _ turn: inout WorkflowTurn
    ) {
        guard isBeginTold(number) || (kind.hasHook && tasks[number].traits.contains(.hasHooks)) else {
            return
        }
        let change = WorkflowTask.Change(oldState: old, snapshot: snapshot(number))
        turn.tell(.tell(number, TaskChange(kind, change, event: story.count)))
    }

    /// What follows from a task's change waits until all who hear of it first have been told; at once if nobody is.
    mutating func follow(_ number: Int32, starts: Bool, _ turn: inout WorkflowTurn) {
        guard isTold(number) else { return settleChange(number, starts: starts, &turn) }
        tasks.insert(.untold, number)
        terms.lastFollow += 1
        terms.untold[number] = terms.lastFollow
        turn.tell(.told(number, change: terms.lastFollow, starts: starts))
    }

    /// All have been told of a change.
    mutating func told(_ number: Int32, change: Int, starts: Bool, _ turn: inout WorkflowTurn) {
        guard terms.untold[number] == change else { return }
        terms.untold[number] = nil
        tasks.remove(.untold, number)
        let wasStarted = terms.startsWhenTold.remove(number) != nil
        settleChange(number, starts: starts || wasStarted, &turn)
    }

    private mutating func settleChange(_ number: Int32, starts: Bool, _ turn: inout WorkflowTurn) {
        switch tasks[number].state {
        case .finished: releaseDependents(number, &turn)
        case .failed: releaseAllowing(number, &turn)
        case .pending where tasks[number].missing == 0: becomeReady(number, starts: starts, &turn)
        case .pending, .ready, .executing, .cancelled: break
        }
    }

    /// Those who await the end of a task are woken.
    mutating func wakeWaiters(_ number: Int32, _ turn: inout WorkflowTurn) {
        guard tasks[number].facts.contains(.awaited) else { return }
        tasks.remove(.awaited, number)
        let snapshot = snapshot(number)
        guard var waiters = terms.waiters.removeValue(forKey: number) else { return }
        for waiter in waiters.takeAll() {
            (waiter as? TaskWaiter)?.snapshot = snapshot
            turn.wake(waiter)
        }
    }

    // MARK: Completion

    /// Every leaf is Finished.
    mutating func complete(_ turn: inout WorkflowTurn) {
        tellOwn(.didFinish, turn)
        if tellsAll { turn.tell(.announce(.complete)) }
    }
}

/// How far a run of a workflow is, as a whole.
struct RunProgress {
    /// Somebody has started the workflow, and it hasn't settled.
    private(set) var isRunning = false
    /// Nothing happens by itself.
    private(set) var isSettled = true
    /// How many requests for places in pools are on their way back.
    var returns = 0
    /// It is about to find out whether it has settled.
    var isSettling = false
    private(set) var cancellation = CancellationReason.requested
    private(set) var isOverdue = false
    /// Somebody has started a task by itself, since it settled last.
    private(set) var isAskedFor = false
    /// How many attempts had begun when it settled last.
    private(set) var begunBefore = 0
    /// The workflow itself, while something is going on.
    private var alive: Workflow?
    private var runners: [OneShot<RunReport>] = []

    mutating func start() {
        isRunning = true
        isOverdue = false
        cancellation = .requested
    }

    /// Somebody has started a task by itself, which makes a run of what comes of it.
    mutating func askFor() { isAskedFor = true }

    mutating func cancel(_ reason: CancellationReason, isOverdue: Bool) {
        cancellation = reason
        self.isOverdue = isOverdue
    }

    /// Nothing is started for a moment by being added.
    mutating func hold() { isRunning = false }

    mutating func goOn() { isRunning = true }

    /// Somebody waits for the end of the run.
    mutating func add(_ runner: OneShot<RunReport>) { runners.append(runner) }

    /// Something is going on: the workflow stays alive until it has settled.
    mutating func wake(_ workflow: Workflow?) {
        isSettled = false
        alive = workflow
    }

    /// An empty workflow that is started settles, too.
    mutating func settleAnew(_ workflow: Workflow?) { if isSettled { wake(workflow) } }

    /// It has settled: returns who waits for that, and the workflow, which may be let go of.
    mutating func settle(begun: Int) -> (runners: [OneShot<RunReport>], alive: Workflow?) {
        isSettled = true
        begunBefore = begun
        isRunning = false
        isAskedFor = false
        defer {
            runners = []
            alive = nil
        }
        return (runners, alive)
    }
}
