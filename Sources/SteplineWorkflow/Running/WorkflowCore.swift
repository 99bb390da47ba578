import Foundation
import SteplineEngine
import SteplineSupport
import Synchronization

extension WorkflowHome {
    /// What it is: there is no other class of homes.
    final var core: WorkflowCore { unsafeDowncast(self, to: WorkflowCore.self) }
}

/// What stands around a workflow's machine and does what that decides.
///
/// Tasks and references to tasks keep it alive, but not the workflow, whose end empties it.
final class WorkflowCore: WorkflowHome, EngineFace, @unchecked Sendable {  // constants, and what is locked
    let engine: Engine<WorkflowMachine>
    let engineClock: EngineClock
    let options: WorkflowOptions
    /// What goes wrong on purpose, beside what a simulation asks for and the workflow around this one.
    let faults: FaultPlan
    private let isFaulty: Atomic<Bool>
    let surroundings = Locked(WorkflowSurroundings())
    let deliveries = Deliveries()
    /// Whether the machine makes events or a log, and must know the time of everything.
    private let isHeard: Atomic<Bool>

    init(_ name: String, _ options: WorkflowOptions) {
        self.options = options
        faults = FaultPlan(options.faults)
        isFaulty = Atomic(!options.faults.isEmpty)
        engineClock = EngineClock(options.clock)
        isHeard = Atomic(options.keptAttempts > 0)
        let calendar = options.clock.now.timeIntervalSinceReferenceDate - engineClock.now().uptime.inSeconds
        engine = Engine(WorkflowMachine(name: name, options: options, calendar: calendar))
        super.init()
        engine.look { $0.core = self }
        CallbackPlace(options.callbackQueue).mark()
    }

    // The results of subworkflows are these themselves: each would go with a few calls inside the end of the one around.
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

    /// Whether anything may go wrong on purpose.
    @inline(__always)
    var hasFaults: Bool { isFaulty.load(ordering: .relaxed) }

    /// Has that go wrong as well, from now on, which goes wrong in the workflow around.
    func inherit(_ faults: FaultPlan?) {
        surroundings.withLock { $0.faults = faults }
        isFaulty.store(faults != nil || !self.faults.isEmpty, ordering: .relaxed)
    }

    /// Adds tasks: the time is read only where somebody wants to know it.
    @inline(__always)
    func grow<Answer>(_ event: (inout WorkflowMachine, inout WorkflowTurn) -> Answer) -> Answer {
        let now = isHeard.load(ordering: .relaxed) ? engineClock.now() : .zero
        return send(at: now) { machine, turn in
            let answer = event(&machine, &turn)
            machine.endTurn(&turn)
            return answer
        }
    }

    override func begin(_ handed: HandedTask) { run(handed) }

    override func attemptIsGone(_ number: Int32, _ attempt: UInt32) {
        change { $0.letGo(number, attempt, &$1) }
    }

    /// Makes events for a reader from now on.
    func add(_ stream: EventStream<WorkflowEvent>) {
        readClockAlways()
        look { $0.story.add(stream) }
    }

    /// Reads the clock from now on also where tasks are added: somebody wants to know the time.
    func readClockAlways() { isHeard.store(true, ordering: .relaxed) }

    /// Looks at the machine under its lock, and changes nothing that others must hear of.
    func look<Answer>(_ look: (inout WorkflowMachine) -> Answer) -> Answer { engine.look(look) }

    func perform(_ effect: WorkflowEffect) {
        switch effect {
        case .callWorker: Workers.shared.enqueue(self)
        case .hand(let tasks): hand(tasks)
        case .stop(let calls): for call in calls { call() }
        case .cancelInside(let task, let reason, let attempt):
            Relay.pass { task.cancelInside(reason, of: attempt) }
        case .takePlaces(let request, let number):
            if request.take() { placesGranted(number, request) }
        case .giveBack(let request):
            request.giveBack()
            change { machine, _ in machine.run.returns -= 1 }
        case .record(let entry): surroundings.withLock { $0.journal }?.record(entry)
        case .timeOver(let number, let attempt, let isDeadline):
            timeOver(number, attempt, isDeadline: isDeadline)
        case .tell(let number, let change): tell(number, change)
        case .resetInside(let task): Relay.pass { task.resetInside() }
        case .told(let number, let event, let starts):
            change { $0.told(number, change: event, starts: starts, &$1) }
        case .run(let job): runElsewhere(job)
        case .announce(let news): announce(news)
        case .tellOutside(let news):
            let task = surroundings.withLock { $0.enclosingTask }
            if let task { Relay.pass { task.hear(news) } }
        case .settle: change { $0.settle(&$1) }
        case .settled(let run, let runners, let alive): settled(run?.report(), runners, alive)
        }
    }

    func mayBlock(_ news: WorkflowEffect) -> Bool {
        switch news {
        case .tell, .announce, .tellOutside, .resetInside: true
        case .settled: surroundings.withLock { !$0.runListeners.isEmpty }
        default: false
        }
    }

    /// A task has its places in pools.
    func placesGranted(_ number: Int32, _ request: PoolRequest) {
        // Where many wait for few places, each end lets one begin: calling a thread for that costs more than most bodies.
        let next = change { machine, turn in
            machine.placesGranted(number, request, &turn)
            return machine.nextAsyncJob(&turn)
        }
        guard let next else { return }
        // What may be over at once is for a worker: here each end would be inside the one before.
        guard !next.traits.contains(.cached), fault(of: next) == nil else { return runElsewhere(next) }
        if let stage = Stages.current { note(next, "begins", on: stage) }
        _ = run(next)
    }

    private func timeOver(_ number: Int32, _ attempt: UInt32, isDeadline: Bool) {
        let (name, options) = look { ($0.name(number), $0.terms.own[number]?.options) }
        let limit = (isDeadline ? options?.deadline : options?.timeout) ?? .zero
        let error = WorkflowError.timedOut(name, after: limit)
        let wait = isDeadline ? nil : retryDelay(of: number, error)
        let failure = TaskFailure(error)
        change { $0.timeOver(number, attempt, failure, retryAfter: wait, &$1) }
    }

    /// How long to wait before another attempt; asks the user's policy, so it must not be called under a lock.
    func retryDelay(of number: Int32, _ error: (any Error)?) -> Duration? {
        let (policy, failures) = look {
            ($0.terms.own[number]?.options.retry, $0.tasks[number].attempt.failures)
        }
        guard let policy, policy.attempts > 1, let error else { return nil }
        if let own = error as? WorkflowError, WorkflowError.lasting.contains(own.code) { return nil }
        return policy.delay(afterAttempt: Int(failures) + 1, failedWith: error, now: options.clock.now)
    }

    /// What an attempt ends with that has thrown.
    func failure(of number: Int32, _ error: (any Error)?) -> AttemptEnd {
        .failed(TaskFailure(error), retryAfter: retryDelay(of: number, error))
    }

    private func settled(
        _ report: RunReport?, _ runners: [OneShot<RunReport>], _ alive: (any AnyObject & Sendable)?
    ) {
        if let report {
            for runner in runners { runner.fulfill(report) }
            tellRunEnded(report)
        }
        withExtendedLifetime(alive) {}
    }

    /// The workflow is gone: its tasks keep their state, and nothing else is left.
    func leaveTasks() {
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
    /// Sends the machine an event, and does what comes of it before it returns.
    ///
    /// With `tellsElsewhere` callbacks are left to a worker, as Swift's own threads mustn't block.
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
    /// What another attempt can't mend.
    fileprivate static let lasting: Set<Code> = [
        .conditionNotFulfilled, .targetGone, .ambiguousEnd, .wrongType,
    ]
}

/// Who is told of a workflow, and where its bodies run.
struct WorkflowSurroundings {
    weak var delegate: (any WorkflowDelegate)?
    var queue: OperationQueue?
    var notificationCenter: NotificationCenter?
    var runListeners: [RunListener] = []
    /// What keeps all that becomes of the tasks, in a durable run.
    var journal: (any TaskJournal)?
    /// What goes wrong on purpose in the workflow around this one.
    var faults: FaultPlan?
    weak var enclosingTask: SubworkflowTask?
}
