import Foundation
import SteplineEngine
import SteplineSupport
import Synchronization

extension WorkflowHome {
    /// The core that this is: there is no other subclass.
    final var core: WorkflowCore { unsafeDowncast(self, to: WorkflowCore.self) }
}

/// Holds a workflow's machine behind its lock, and performs its effects after unlock.
///
/// Tasks and references to tasks retain the core, but not the workflow. When the workflow is freed, the core is
/// emptied: its tasks keep their state. Every method may be called on any thread, and none while the machine's lock is
/// held.
///
/// | Part | Lock | Holds |
/// | --- | --- | --- |
/// | `engine` | the machine's | every state and decision |
/// | `surroundings` | its own | user objects: delegate, queue, center, listeners, journal, the task around |
/// | `deliveries` | its own | callbacks that wait in a queue |
///
/// Under the machine's lock only three further locks are taken: those of a task's face, of an event reader and of a
/// map's list.
///
/// Bodies run on three kinds of threads. `WorkflowThread` is a worker of the process, and runs most of them.
/// `ExternalThread` is a thread of an operation queue or of an executor. An `async` body runs in a Swift task, and its
/// end comes from there.
///
/// A transaction costs one lock and one reading of the clock. Begin reading at ``perform(_:)``, which maps each effect
/// to its method, or at `WorkflowMachine` for the decisions.
final class WorkflowCore: WorkflowHome, EngineFace, @unchecked Sendable {  // constants, and what is locked
    let engine: Engine<WorkflowMachine>
    let engineClock: EngineClock
    let options: WorkflowOptions
    /// The faults of the options; a simulation and the workflow around may have others.
    let faults: FaultPlan
    private let isFaulty: Atomic<Bool>
    private let keepsValues = Atomic(false)
    let surroundings = Locked(WorkflowSurroundings())
    let deliveries = Deliveries()
    /// Whether the machine makes events or a log, and needs the time of every transaction.
    private let recordsEvents: Atomic<Bool>

    init(_ name: String, _ options: WorkflowOptions) {
        self.options = options
        faults = FaultPlan(options.faults)
        isFaulty = Atomic(!options.faults.isEmpty)
        engineClock = EngineClock(options.clock)
        recordsEvents = Atomic(options.keptAttempts > 0 || options.log != nil)
        let calendar = options.clock.now.timeIntervalSinceReferenceDate - engineClock.now().uptime.inSeconds
        engine = Engine(WorkflowMachine(name: name, options: options, calendar: calendar))
        super.init()
        engine.look { $0.core = self }
        CallbackPlace(options.callbackQueue).mark()
    }

    // The result of a subworkflow task is the workflow. Freed by recursion, deeply nested ones would overflow the
    // stack.
    deinit {
        guard hasSubworkflows else { return }
        let values = Locked(look { $0.tasks.takeValues() })
        Relay.pass {
            let gone = values.withLock { values in
                defer { values = [] }
                return values
            }
            withExtendedLifetime(gone) {}
        }
    }

    /// Whether there may be faults.
    @inline(__always)
    var hasFaults: Bool { isFaulty.load(ordering: .relaxed) }

    /// Whether the last start had task-local values to propagate.
    @inline(__always)
    var hasValues: Bool { keepsValues.load(ordering: .relaxed) }

    /// The task-local values of the last start; nil if there were none.
    @inline(__always)
    var propagatedValues: PropagatedValues? {
        hasValues ? surroundings.withLock { $0.values } : nil
    }

    /// Keeps the task-local values of the code that begins a run; called before the begin.
    ///
    /// A run that goes on keeps its own: a start then only begins its further tasks.
    func keepValues() {
        let values = PropagatedValues.current
        guard values != nil || hasValues, look({ !$0.run.isRunning || $0.run.isSettled }) else { return }
        setValues(values)
    }

    /// Releases the values after a run, as they may refer to the workflow.
    ///
    /// An incomplete run may go on by itself, and the last call of a progress callback may come later: these keep them.
    private func releaseValues(after report: RunReport) {
        guard report.ending != .incomplete, look({ $0.run.isSettled }) else { return }
        if surroundings.withLock({ $0.progressListeners.isEmpty }) { setValues(nil) }
    }

    private func setValues(_ values: PropagatedValues?) {
        let old = surroundings.withLock { surroundings in
            defer { surroundings.values = values }
            // Under the lock: of two starts at once, the mark and the values are those of the same one.
            keepsValues.store(values != nil, ordering: .relaxed)
            return surroundings.values
        }
        // Released after unlock: the last reference to a value may run the user's code.
        withExtendedLifetime(old) {}
    }

    /// Calls listeners with the task-local values of the last start.
    func withValues(_ body: () -> Void) {
        PropagatedValues.call(with: propagatedValues, body)
    }

    /// Sets the faults of the workflow around, which hold here as well.
    func inherit(_ faults: FaultPlan?) {
        surroundings.withLock { $0.faults = faults }
        isFaulty.store(faults != nil || !self.faults.isEmpty, ordering: .relaxed)
    }

    /// Sends an event that adds tasks; reads the clock only if events are recorded.
    @inline(__always)
    func grow<Answer>(_ event: (inout WorkflowMachine, inout WorkflowTurn) -> Answer) -> Answer {
        let now = recordsEvents.load(ordering: .relaxed) ? engineClock.now() : .zero
        return send(at: now) { machine, turn in
            let answer = event(&machine, &turn)
            machine.endTurn(&turn)
            return answer
        }
    }

    override func begin(_ external: ExternalTask) { run(external) }

    override func attemptIsGone(_ number: Int32, _ attempt: UInt32) {
        change { $0.release(number, attempt, &$1) }
    }

    /// Reads the clock from now on also where tasks are added, for events or a journal.
    func readClockAlways() { recordsEvents.store(true, ordering: .relaxed) }

    /// Reads the machine under its lock, or changes what has no effects.
    func look<Answer>(_ look: (inout WorkflowMachine) -> Answer) -> Answer { engine.look(look) }

    /// Hands an entry to the journal; returns true if it is recorded already, and this thread must confirm it.
    func record(_ entry: JournalEntry) -> Bool {
        surroundings.withLock { $0.journal }?.record(entry) ?? false
    }

    func perform(_ effect: WorkflowEffect) {
        switch effect {
        case .callWorker: Workers.shared.enqueue(self)
        case .hand(let tasks): hand(tasks)
        case .stop(let calls): withValues { for call in calls { call() } }
        case .cancelInside(let task, let reason, let attempt):
            Relay.pass { task.cancelInside(reason, of: attempt) }
        case .takePlaces(let request, let number):
            // False: the pool calls `placesGranted` later, on the thread that frees the places.
            if request.take() { placesGranted(number, request) }
        case .giveBack(let request):
            // In this order: the transaction may settle the run, and the places must be free at its end.
            request.giveBack()
            change { machine, _ in machine.run.returns -= 1 }
        case .log(let events):
            let name = look { $0.names.workflow }
            for event in events { options.log?.log(event, in: name) }
        // Called after unlock: the journal may answer on this thread, by a transaction of its own.
        case .record(let entry):
            if record(entry) { change { $0.wasKept(entry, &$1) } }
        case .timeOver(let number, let attempt, let isDeadline):
            withValues { timeOver(number, attempt, isDeadline: isDeadline) }
        case .notify(let transition): withValues { notifyListeners(of: transition) }
        case .resetInside(let task, let isRetry): Relay.pass { task.resetInside(isRetry: isRetry) }
        case .notified(let number, let starts):
            change { $0.listenersNotified(number, starts: starts, &$1) }
        case .run(let job): runElsewhere(job)
        case .announce(let news): withValues { announce(news) }
        case .notifyEnclosing(let news):
            let task = surroundings.withLock { $0.enclosingTask }
            if let task { Relay.pass { task.hear(news) } }
        case .forward(let events):
            let outer = surroundings.withLock { $0.enclosingTask }?.home?.core
            if let outer { Relay.pass { outer.change { machine, _ in machine.forward(events) } } }
        case .settle: change { $0.settle(&$1) }
        case .settled(let run, let runners, let alive): settled(run.map(report(of:)), runners, alive)
        }
    }

    func mayBlock(_ news: WorkflowEffect) -> Bool {
        switch news {
        case .notify, .announce, .notifyEnclosing, .forward, .resetInside, .log: true
        // Waiters of a run only resume; its listeners are user code.
        case .settled: surroundings.withLock { !$0.runListeners.isEmpty }
        default: false
        }
    }

    /// A task has its places in pools.
    func placesGranted(_ number: Int32, _ request: PoolRequest) {
        // Where many wait for few places, each end lets one begin. Calling a worker for that costs more than most
        // bodies.
        let next = change { machine, turn in
            machine.placesGranted(number, request, &turn)
            return machine.nextAsyncJob(&turn)
        }
        guard let next else { return }
        // A body that may be over at once is for a worker: here each end would be a call inside the one before.
        guard !next.traits.contains(.cached), fault(of: next) == nil else { return runElsewhere(next) }
        if let stage = Stages.current { note(next, "begins", on: stage) }
        // Returns `.continues`: an `async` body goes on in its Swift task, or in another process.
        _ = run(next)
    }

    private func timeOver(_ number: Int32, _ attempt: UInt32, isDeadline: Bool) {
        let (name, options) = look { ($0.name(number), $0.rare.options[number]) }
        let limit = (isDeadline ? options?.deadline : options?.timeout) ?? .zero
        let error = WorkflowError.timedOut(name, after: limit)
        // After the deadline no attempt follows.
        if isDeadline { return change { $0.deadlineOver(number, TaskFailure(error), &$1) } }
        let next = retryDecision(of: number, error)
        let failure = TaskFailure(error, noRetry: next.reason)
        change { $0.timeOver(number, attempt, failure, retryAfter: next.delay, &$1) }
    }

    /// Whether another attempt follows, and when; calls the user's policy, so not under a lock.
    private func retryDecision(of number: Int32, _ error: (any Error)?) -> RetryPolicy.Decision {
        let (policy, failures) = look {
            ($0.rare.options[number]?.retry, $0.tasks[number].attempt.failures)
        }
        guard let policy, policy.attempts > 1, let error else { return .stop(nil) }
        if let own = error as? WorkflowError, WorkflowError.lasting.contains(own.code) { return .stop(nil) }
        // The machine counts this failure later, when it ends the attempt.
        return policy.decision(afterAttempt: Int(failures) + 1, failedWith: error, now: options.clock.now)
    }

    /// The end of an attempt whose body has thrown.
    func failure(of number: Int32, _ error: (any Error)?) -> AttemptResult {
        let next = retryDecision(of: number, error)
        var error = error
        // A task around a map fails with the map's error, and its report doesn't list the elements.
        if let ofMap = error as? WorkflowError, ofMap.summary != nil,
            !look({ $0.rare.joins[number] != nil || $0.rare.maps.contains(number) })
        {
            error = ofMap.ofAnotherTask
        }
        return .failed(TaskFailure(error, noRetry: next.reason), retryAfter: next.delay)
    }

    private func settled(
        _ report: RunReport?, _ runners: [OneShot<RunReport>], _ alive: (any AnyObject & Sendable)?
    ) {
        if let report {
            for runner in runners { runner.fulfill(report) }
            withValues { notifyRunEnded(report) }
            if hasValues { releaseValues(after: report) }
        }
        // Perhaps the last reference to the workflow: released after its listeners were notified, and without a lock.
        withExtendedLifetime(alive) {}
    }

    /// Empties the core when the workflow is freed; its tasks keep their state.
    func leaveTasks() {
        // Freed tasks free the workflows inside them. The relay makes deep nests a loop.
        guard hasSubworkflows else { return disband() }
        Relay.pass { self.disband() }
    }

    private func disband() {
        let left = change { $0.disband(&$1) }
        for (task, past) in left { task.leave(self, with: past) }
    }

    private var hasSubworkflows: Bool { look { $0.hasSubworkflows } }
}

extension EngineFace where Logic == WorkflowMachine {
    /// Sends the machine an event, and performs its effects before it returns.
    ///
    /// With `tellsElsewhere` a worker performs the notifications: a callback may block, and Swift's own threads
    /// mustn't.
    @discardableResult
    func change<Answer>(
        tellsElsewhere: Bool = false, _ event: (inout WorkflowMachine, inout WorkflowTurn) -> Answer
    ) -> Answer {
        send(tellsElsewhere: tellsElsewhere) { machine, turn in
            let answer = event(&machine, &turn)
            machine.endTurn(&turn)
            return answer
        }
    }
}

extension WorkflowError {
    /// The failures after which no other attempt follows.
    fileprivate static let lasting: Set<Code> = [
        .conditionNotFulfilled, .targetGone, .ambiguousEnd, .wrongType,
    ]
}

/// The objects around a workflow: listeners, queue, journal and the task that it runs in.
struct WorkflowSurroundings {
    weak var delegate: (any WorkflowDelegate)?
    var queue: OperationQueue?
    var notificationCenter: NotificationCenter?
    var runListeners: [Listener<Outcome<RunReport>>] = []
    var progressListeners: [ProgressListener<WorkflowProgress>] = []
    /// The journal of a durable run.
    var journal: (any TaskJournal)?
    /// The faults of the workflow around this one.
    var faults: FaultPlan?
    weak var enclosingTask: SubworkflowTask?
    /// The task-local values of the last start.
    var values: PropagatedValues?
}
