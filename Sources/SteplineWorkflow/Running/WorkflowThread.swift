import SteplineEngine
import SteplineSupport

extension WorkflowCore: WorkerJob {
    func run(on worker: Worker) { WorkflowThread(self, worker).work() }
}

/// A body whose begin another thread has told.
final class BodyJob: WorkerJob {
    private let core: WorkflowCore
    private let job: TaskJob

    init(_ core: WorkflowCore, _ job: TaskJob) {
        self.core = core
        self.job = job
    }

    func run(on worker: Worker) { WorkflowThread(core, worker).work(beginningWith: job) }
}

/// A thread of the pool while it works for one workflow: it ends one body and begins the next under one lock.
///
/// A loop and not a recursion, so that a chain of any length takes the same stack.
// The variables are touched by the one thread alone.
private final class WorkflowThread: EngineFace, @unchecked Sendable {
    /// After how many nanoseconds it asks whether others wait for a thread.
    private static let slice: Int64 = 100_000
    /// For how many microseconds it waits between two looks at how others get on.
    private static let pause: UInt32 = 50

    private let core: WorkflowCore
    private let worker: Worker
    private var sliceBegan = Instant.zero
    /// Whether it takes the next body itself that may begin by what it is telling.
    private var takesTold = false
    /// That body.
    private var told: TaskJob?
    /// Whether it has nothing to do, and looks on how others get on.
    private var looksOn = false

    init(_ core: WorkflowCore, _ worker: Worker) {
        self.core = core
        self.worker = worker
    }

    var engine: Engine<WorkflowMachine> { core.engine }
    var tellsAllNews: Bool { true }
    var engineClock: EngineClock { core.engineClock }

    func setTimer(_ order: Turn<WorkflowEffect, TaskTimer>.TimerOrder) { core.setTimer(order) }

    func perform(_ effect: WorkflowEffect) {
        switch effect {
        case .run(let job) where takesTold && told == nil && !job.traits.contains(.isHanded):
            told = job
        case .told(let number, let event, let starts) where takesTold && told == nil:
            told = change { machine, turn in
                machine.told(number, change: event, starts: starts, &turn)
                return turn.hasNews ? nil : machine.nextJob(&turn)
            }
        default: core.perform(effect)
        }
    }

    // MARK: Working

    func work() { work(on: arrive()) }

    func work(beginningWith job: TaskJob) {
        sliceBegan = engineClock.now()
        change { machine, turn in machine.helping.join(at: turn.now, begun: machine.tasks.begun) }
        work(on: checked(job) ?? goOn(nil))
    }

    private func work(on first: TaskJob?) {
        if let stage = Stages.current { return work(on: first, stage) }
        var next = first
        while let job = next {
            worker.beginBody()
            guard case .closure(let body) = job.work, !job.traits.contains(.durable),
                !core.hasFaults
            else {
                let end = core.run(job)
                next = conclude { $0.bodyEnded(job, end, &$1) }
                continue
            }
            do {
                let value = try body()
                next = conclude { $0.closureFinished(job, value, &$1) }
            } catch {
                let end = core.failure(of: job.number, error)
                next = conclude { $0.bodyEnded(job, .over(end), &$1) }
            }
        }
    }

    /// The same on a stage, where other things may happen between any two of a body's begin, its end and the next.
    private func work(on first: TaskJob?, _ stage: any Stage) {
        guard let job = first else { return }
        stage.enqueue(isBody: true) { [self] in
            core.note(job, "begins", on: stage)
            let end = core.run(job)
            if let text = end.inStory { core.note(job, text, on: stage) }
            let next = conclude { $0.bodyEnded(job, end, &$1) }
            work(on: next, stage)
        }
    }

    /// Takes the first body, perhaps after it has looked on for a while.
    private func arrive() -> TaskJob? {
        sliceBegan = engineClock.now()
        let job = send(at: sliceBegan) { machine, turn in
            let job = begin(with: machine.arrives(at: turn.now), &machine, &turn)
            machine.endTurn(&turn)
            return job
        }
        return goOn(job)
    }

    /// Looks on until there is a body to be taken; nil if that is in vain.
    private func lookOn() -> TaskJob? {
        while looksOn {
            worker.pause(Self.pause)
            let job = change { machine, turn in
                begin(with: machine.looks(at: turn.now), &machine, &turn)
            }
            if job != nil || takesTold { return job }
        }
        return nil
    }

    private func begin(
        with part: Helping.Part, _ machine: inout WorkflowMachine, _ turn: inout WorkflowTurn
    ) -> TaskJob? {
        looksOn = part == .lookOn
        return part == .work ? take(&machine, &turn) : nil
    }

    /// Ends one body and begins the next; nil if there is nothing more to do for this thread.
    @inline(__always)
    private func conclude(_ end: (inout WorkflowMachine, inout WorkflowTurn) -> Void) -> TaskJob? {
        let now = core.engineClock.now()
        let isOver = isSliceOver(now)
        let next = send(at: now) { machine, turn -> TaskJob? in
            end(&machine, &turn)
            var next: TaskJob?
            if isOver || !machine.goesOn(at: now) {
                leave(&machine, at: now)
            } else {
                next = take(&machine, &turn)
            }
            machine.endTurn(&turn)
            return next
        }
        return next ?? goOn(nil)
    }

    private func isSliceOver(_ now: Instant) -> Bool {
        guard now.nanoseconds - sliceBegan.nanoseconds > Self.slice else { return false }
        sliceBegan = now
        return worker.isAwaited
    }

    /// What this thread does after an event: the body it has taken, or one that it has told of, or the next.
    private func goOn(_ taken: TaskJob?) -> TaskJob? {
        if let taken { return taken }
        while takesTold || looksOn {
            if !takesTold {
                if let job = lookOn() { return job }
                continue
            }
            if let job = told {
                told = nil
                if let job = checked(job) { return job }
                continue
            }
            let next = change { take(&$0, &$1) }
            if let next { return next }
        }
        return nil
    }

    /// Takes the next body; if there is none, this thread leaves, unless it has something to tell first.
    @inline(__always)
    private func take(_ machine: inout WorkflowMachine, _ turn: inout WorkflowTurn) -> TaskJob? {
        takesTold = false
        looksOn = false
        // Who tells may be held up by those who listen; what is ready isn't taken along into that.
        if !turn.willTell, let next = machine.nextJob(&turn) { return next }
        if turn.willTell {
            takesTold = true
        } else {
            looksOn = machine.rests(at: turn.now)
        }
        return nil
    }

    private func leave(_ machine: inout WorkflowMachine, at now: Instant) {
        takesTold = false
        looksOn = false
        machine.helping.leave(at: now)
    }

    /// A body whose begin was told, unless it was called off meanwhile.
    private func checked(_ job: TaskJob) -> TaskJob? {
        change { machine, turn in
            takesTold = true
            return machine.stillBegins(job, &turn)
        }
    }
}

extension WorkflowMachine {
    /// A thread that was called has come.
    fileprivate mutating func arrives(at now: Instant) -> Helping.Part {
        helping.arrive(at: now, begun: tasks.begun)
    }

    /// A thread that looks on has waited for a moment.
    fileprivate mutating func looks(at now: Instant) -> Helping.Part {
        helping.look(at: now, begun: tasks.begun, hasWork: mayBeginTask)
    }

    /// A thread has nothing to do; whether it looks on.
    fileprivate mutating func rests(at now: Instant) -> Bool {
        helping.rest(at: now, begun: tasks.begun) == .lookOn
    }

    /// Whether a thread goes on to the next body.
    @inline(__always)
    fileprivate mutating func goesOn(at now: Instant) -> Bool {
        helping.goOn(at: now) == .work
    }
}
