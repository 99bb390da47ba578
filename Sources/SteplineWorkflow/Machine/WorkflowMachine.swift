import SteplineEngine
import SteplineSupport

/// All state of a workflow and its tasks, and every decision about them.
///
/// `WorkflowCore` holds the machine behind the one lock of the workflow. Any thread may send an event: a user's call, a
/// worker that ends one body and takes the next, a timer, a pool, the journal. An event is one transaction: a method of
/// the machine, and then ``endTurn(_:)``. The machine calls nothing outside. It writes effects into the `Turn`, and the
/// engine performs them after unlock: orders by the thread of the event, notifications by one thread at a time and in
/// order.
///
/// The state lies in parts that keep their own invariants:
///
/// - `graph`: prerequisites and dependents, by task number. A prerequisite's number is lower than its dependents'
///   numbers.
/// - `tasks`: state, attempt and result of each task, with counts over all tasks.
/// - `rare`: what only some tasks have: options, waiters, stop handlers, keys.
/// - `ready`, `external`, `throttle`: the queue for workers, tasks on external queues, and how many workers run.
/// - `eventLog`: events for readers, and the attempts that are kept.
/// - `run`: the run as a whole; `journaling`: ends that a durable run is recording.
///
/// A task goes Pending → Ready → Executing → Finished, Failed or Cancelled; reset and retry lead back to Pending. Each
/// change goes through ``report(_:_:from:_:)``. Invariants after each transaction:
///
/// - A Pending task has an unsatisfied prerequisite, or listeners that are still to be notified.
/// - At most one body of a task is live, and at most `limit` bodies of the workflow.
/// - A workflow without busy tasks has settled, or the effect that settles it is queued.
///
/// The end of a plain closure costs O(dependents). Messages cost O(V + E) of what they reach.
struct WorkflowMachine: Machine {
    typealias Effect = WorkflowEffect
    typealias Timer = TaskTimer

    let options: WorkflowOptions
    private(set) var limit: Int

    var graph = TaskGraph()
    var tasks = TaskTable()
    var names: TaskNames
    var rare = RareTaskState()
    var groups = GroupTable()
    var ready = ReadyQueue()
    var external = ExternalTasks()
    var throttle = WorkerThrottle()
    var eventLog: WorkflowEventLog
    var run = RunProgress()
    /// The state of a durable run; nil in any other.
    var journaling: Journaling?
    /// Whether the worker of this transaction records an end after it, and may take a body that this end frees.
    var recordsHere = false

    weak var workflow: Workflow?
    /// The object that holds this machine, for callbacks of pools.
    unowned(unsafe) var core: WorkflowCore?
    /// Whether the changes of all tasks are notified: there is a delegate of the workflow, or a notification center.
    var notifiesAll = false
    var hasRunListeners = false
    /// Whether it runs inside another workflow.
    var isEnclosed = false
    /// The number of the attempt of the task around that has entered this workflow last; 0 before the first.
    var enclosingAttempt: UInt32 = 0
    /// Increases with each reset or cancel of the whole workflow, and with each attempt of the task around that enters
    /// it.
    ///
    /// A decision of that task without the lock takes effect only if the workflow is still in the same generation.
    var generation: UInt64 = 0
    /// Whether its tasks are elements of a map, which adds them again in each process.
    var hasElements = false
    /// Whether the workflow has an operation queue or an executor.
    var hasQueue = false
    var isDisbanded = false

    init(name: String, options: WorkflowOptions, calendar: Double) {
        self.options = options
        // With a limit below 1 every task would wait without a word; `check()` reports such a limit.
        limit = Self.limit(of: options)
        names = TaskNames(name, areUnique: options.requiresUniqueNames)
        eventLog = WorkflowEventLog(
            calendar: calendar, keptAttempts: options.keptAttempts, textLog: options.log)
    }

    // MARK: After each event

    /// Ends a transaction: calls a worker, sends events to their readers, and begins or settles a run.
    @inline(__always)
    mutating func endTurn(_ turn: inout WorkflowTurn) {
        // `call` is false until the worker called last has arrived. The transaction of that worker calls the next one.
        if mayBeginTask, throttle.call() { turn.order(.callWorker) }
        // All tasks that this transaction has made ready leave as one batch.
        if let fresh = external.takeFresh() { turn.order(.hand(fresh)) }
        eventLog.flush(&turn)
        // Places on their way back to a pool keep the run unsettled. After its end they are free.
        if tasks.busy == 0, run.returns == 0 {
            if !run.isSettled, !run.isSettling { settleSoon(&turn) }
        } else if run.isSettled, tasks.busy > 0 {
            // A task became busy in a settled workflow. From here on the workflow retains itself.
            run.wake(workflow, at: turn.now)
        }
    }

    private static func limit(of options: WorkflowOptions) -> Int {
        max(1, options.maximumConcurrency ?? .max)
    }

    /// Begins no attempts until ``proceed(_:)``; queued tasks give back the places that they have in pools.
    mutating func pause(_ turn: inout WorkflowTurn) {
        limit = 0
        // Other workflows may share the pools, and a pause may take days.
        for number in rare.requesting where isQueued(number) {
            external.void(number)
            giveBack(number, &turn)
            rare.heldByPause.insert(number)
        }
    }

    mutating func proceed(_ turn: inout WorkflowTurn) {
        limit = Self.limit(of: options)
        releasePaused(&turn)
        // Every task that reached the head of its queue meanwhile was deferred; each call releases one.
        for _ in 0..<min(limit - tasks.live, external.deferredCount) { releaseDeferred() }
    }

    /// Whether a worker would find a task to begin.
    @inline(__always)
    var mayBeginTask: Bool { !ready.isEmpty && tasks.live < limit && !hasMostCommits }

    /// Queues the settling behind all notifications, whose listeners may start something.
    private mutating func settleSoon(_ turn: inout WorkflowTurn) {
        run.isSettling = true
        turn.tell(.settle)
    }

    /// Settles the run, unless something has begun since the settling was queued.
    mutating func settle(_ turn: inout WorkflowTurn) {
        run.isSettling = false
        // A listener or another thread may have started a task since the effect was queued. The transaction that ends
        // the last busy task queues the effect again.
        guard tasks.busy == 0, run.returns == 0, !run.isSettled else { return }
        // Notifying about a message to tasks that were never started is no run.
        let isRun = run.isRunning || run.isAskedFor || tasks.begun != run.begunBefore
        let ending = ending
        if isRun { logOwnEvent(.settled(ending), turn) }
        turn.withdraw(TaskTimer(number: -1, kind: .deadline))
        // `alive` may be the last reference to the workflow. It leaves with the effect, to be released after unlock.
        let (runners, alive) = run.settle(begun: tasks.begun, at: turn.now)
        if isEnclosed { turn.tell(.notifyEnclosing(.settled)) }
        // Only for readers of a report: while the copy exists, the next change of the machine copies its arrays.
        let settled = isRun && (hasRunListeners || !runners.isEmpty) ? SettledRun(self) : nil
        // The lines of the log first, including that of the end.
        eventLog.flush(&turn)
        turn.tell(.settled(settled, runners, alive))
    }

    // MARK: Events

    /// Counts an event of a task that is no change of its state, and makes it for the readers.
    @inline(__always)
    mutating func logEvent(
        _ kind: @autoclosure () -> WorkflowEvent.Kind, _ number: Int32, attempt: UInt32? = nil,
        _ turn: borrowing WorkflowTurn
    ) {
        eventLog.countEvent()
        if eventLog.recordsEvents { makeEvent(kind(), number, attempt, turn.now) }
    }

    private mutating func makeEvent(
        _ kind: WorkflowEvent.Kind, _ number: Int32, _ attempt: UInt32?, _ now: Instant
    ) {
        guard eventLog.hasReaders else { return }
        let (name, attempt) = (name(number), attempt ?? tasks[number].attempt.number)
        eventLog.make(kind, number, name, attempt: Int(attempt), at: now)
    }

    /// Takes over events of a map's elements, for the readers.
    mutating func forward(_ events: [WorkflowEvent]) { for event in events { eventLog.add(event) } }

    /// Counts an event of the workflow, and makes it for the readers.
    private mutating func logOwnEvent(_ kind: WorkflowEvent.Kind, _ turn: borrowing WorkflowTurn) {
        eventLog.countEvent()
        eventLog.make(kind, nil, names.workflow, attempt: 0, at: turn.now)
    }

    /// Logs and announces something about the workflow: a message before it takes effect, or that every leaf is
    /// Finished.
    mutating func announce(_ news: WorkflowNews, _ turn: inout WorkflowTurn) {
        logOwnEvent(news.event, turn)
        if notifiesAll { turn.tell(.announce(news)) }
    }

    // MARK: Runs

    /// Starts all Ready tasks; `runner` gets the report of this run, and not that of one that settled before.
    mutating func startRun(_ runner: OneShot<RunReport>?, _ turn: inout WorkflowTurn) {
        run.start()
        if let runner { run.add(runner) }
        // Without tasks no leaf ever finishes, so each start announces the end.
        if tasks.count == 0 { announce(.complete, &turn) }
        startAll(&turn)
        runBegan(&turn)
    }

    /// Adds a waiter for the run that goes on, and starts all Ready tasks; returns false if there is no run.
    mutating func joinRun(_ runner: OneShot<RunReport>, _ turn: inout WorkflowTurn) -> Bool {
        // Tasks that were started one by one are no run: the caller then checks the workflow and starts it.
        guard run.isRunning, !run.isSettled else { return false }
        run.add(runner)
        startAll(&turn)
        return true
    }

    /// Runs all Failed and Cancelled tasks again.
    mutating func retryRun(_ turn: inout WorkflowTurn) {
        run.start()
        retryAll(starts: true, &turn)
        runBegan(&turn)
    }

    /// Runs a task and all downstream again, in a run of their own.
    mutating func rerun(from number: Int32, _ turn: inout WorkflowTurn) {
        run.start()
        // A task with listeners is Pending after the reset. `start` then has it begin once they were notified.
        reset([number], &turn)
        start(number, &turn)
        runBegan(&turn)
    }

    private mutating func runBegan(_ turn: inout WorkflowTurn) {
        setWorkflowDeadline(&turn)
        run.settleAnew(workflow, at: turn.now)
    }

    /// Starts all Ready tasks, apart from those that are backing off.
    private mutating func startAll(_ turn: inout WorkflowTurn) {
        // A task whose reset or retry is still to be notified isn't Ready yet, so the walk below misses it.
        if rare.notifications > 0 {
            for number in tasks.all where tasks[number].facts.contains(.listenersPending) {
                start(number, &turn)
            }
        }
        guard tasks.counts[.ready] > 0 else { return }
        for number in tasks.all where tasks[number].state == .ready {
            if tasks[number].attempt.phase != .backingOff { startInRun(number, &turn) }
        }
    }
}
