import SteplineEngine
import SteplineSupport

extension WorkflowCore: WorkerJob {
    func run(on worker: Worker) { WorkflowThread(self, worker).work() }
}

/// A body whose listeners another thread has notified.
final class BodyJob: WorkerJob {
    private let core: WorkflowCore
    private let job: TaskJob

    init(_ core: WorkflowCore, _ job: TaskJob) {
        self.core = core
        self.job = job
    }

    func run(on worker: Worker) { WorkflowThread(core, worker).work(beginningWith: job) }
}

/// A worker while it works for one workflow: it ends one body and begins the next under one lock.
///
/// A loop and not a recursion, so a chain of any length takes the same stack. The worker leaves when no task may begin,
/// when other jobs wait for a worker and its slice is over, or when the throttle says that fewer workers are faster. If
/// its transaction leaves notifications, it performs them before it takes the next body: a listener may block, and a
/// body that was taken would wait for that. A body that may begin by those notifications is run by this worker itself,
/// and so is one that may begin because this worker has recorded the last end in the journal.
///
/// | After a transaction | The worker |
/// | --- | --- |
/// | a body was taken | runs this body |
/// | `keepsNextJob` | performs notifications, then runs the kept body or looks in the queue again |
/// | `isObserving` | sleeps and looks, until the throttle has it work or leave |
/// | nothing of this | returns to the pool |
// The variables are used by the one thread alone.
private final class WorkflowThread: EngineFace, @unchecked Sendable {
    /// Nanoseconds after which it asks whether other jobs wait for a worker.
    private static let slice: Int64 = 100_000
    /// Microseconds between two looks of the idle observer.
    private static let pause: UInt32 = 50

    private let core: WorkflowCore
    private let worker: Worker
    private var sliceBegan = Instant.zero
    /// Whether it keeps the next body that may begin by the notifications that it performs.
    private var keepsNextJob = false
    /// The body that it keeps.
    private var keptJob: TaskJob?
    /// Whether it is the idle observer.
    private var isObserving = false

    // Copies of the core's: a transaction through the core would also retain the core.
    let engine: Engine<WorkflowMachine>
    let engineClock: EngineClock

    init(_ core: WorkflowCore, _ worker: Worker) {
        self.core = core
        self.worker = worker
        engine = core.engine
        engineClock = core.engineClock
    }

    var tellsAllNews: Bool { true }

    func setTimer(_ order: Turn<WorkflowEffect, TaskTimer>.TimerOrder) { core.setTimer(order) }

    func perform(_ effect: WorkflowEffect) {
        switch effect {
        // One body at most: this thread runs one at a time, so further ones go to other workers.
        case .run(let job) where keepsNextJob && keptJob == nil && !job.traits.contains(.isExternal):
            keptJob = job
        case .notified(let number, let starts) where keepsNextJob && keptJob == nil:
            keep { $0.listenersNotified(number, starts: starts, &$1) }
        // A dependent of the recorded task begins on this thread, without waking another one.
        case .record(let entry) where keepsNextJob && keptJob == nil && entry.mayBlock:
            if core.record(entry) { keep { $0.wasKept(entry, &$1) } }
        default: core.perform(effect)
        }
    }

    /// Keeps the next body after a transaction.
    private func keep(after event: (inout WorkflowMachine, inout WorkflowTurn) -> Void) {
        let job: TaskJob? = change { machine, turn in
            event(&machine, &turn)
            // With notifications in the list a body would delay their listeners. This thread may perform them within
            // `change`, and keep a body that they release.
            return turn.hasNews ? nil : machine.nextJob(&turn)
        }
        guard let job else { return }
        // `endTurn` may log, and this thread then performs what has gathered meanwhile.
        if keptJob == nil { keptJob = job } else { core.runElsewhere(job) }
    }

    // MARK: Working

    func work() { work(on: arrive()) }

    func work(beginningWith job: TaskJob) {
        sliceBegan = engineClock.now()
        // The throttle hasn't called this worker, so the worker joins without `arrive`.
        change { machine, turn in machine.throttle.join(at: turn.now, begun: machine.tasks.begun) }
        work(on: checked(job) ?? proceed(nil))
    }

    private func work(on first: TaskJob?) {
        if let stage = Stages.current { return work(on: first, stage) }
        var next = first
        while let job = next { next = run(job) }
    }

    /// Runs a body until it returns to this thread; returns the next body.
    private func run(_ job: TaskJob) -> TaskJob? {
        worker.beginBody()
        // The fast path for most bodies: a closure without a journal, faults and task-local values.
        guard case .closure = job.work, !job.traits.contains(.durable), !core.hasFaults, !core.hasValues
        else {
            let end = core.run(job)
            return conclude { $0.bodyEnded(job, end, &$1) }
        }
        // Copied, because a capture of the job would retain its closure.
        let (number, attempt) = (job.number, job.attempt)
        do {
            var value = try job.work.callClosure()
            return conclude { $0.closureFinished(number, attempt, &value, &$1) }
        } catch {
            let end = core.failure(of: number, error)
            return conclude { $0.bodyEnded(job, .over(end), &$1) }
        }
    }

    /// The same in a simulation, where other things may happen between a body's begin, its end and the next begin.
    private func work(on first: TaskJob?, _ stage: any Stage) {
        guard let job = first else { return }
        stage.enqueue(isBody: true) { [self] in
            core.note(job, "begins", on: stage)
            let end = core.run(job)
            if let text = end.inLog { core.note(job, text, on: stage) }
            let next = conclude { $0.bodyEnded(job, end, &$1) }
            work(on: next, stage)
        }
    }

    /// Takes the first body, perhaps after it has observed for a while.
    private func arrive() -> TaskJob? {
        sliceBegan = engineClock.now()
        let job = send(at: sliceBegan) { machine, turn in
            let job = begin(
                with: machine.throttle.arrive(at: turn.now, begun: machine.tasks.begun), &machine, &turn)
            machine.endTurn(&turn)
            return job
        }
        return proceed(job)
    }

    /// Observes until there is a body to take; returns nil if the throttle has it leave.
    private func observe() -> TaskJob? {
        while isObserving {
            worker.pause(Self.pause)
            let job = change { machine, turn in
                let part = machine.throttle.look(
                    at: turn.now, begun: machine.tasks.begun, hasWork: machine.mayBeginTask)
                return begin(with: part, &machine, &turn)
            }
            // Without a job, this thread has performed notifications: `proceed` looks for a body that they released.
            if job != nil || keepsNextJob { return job }
        }
        return nil
    }

    private func begin(
        with part: WorkerThrottle.Part, _ machine: inout WorkflowMachine, _ turn: inout WorkflowTurn
    ) -> TaskJob? {
        isObserving = part == .observe
        return part == .work ? take(&machine, &turn) : nil
    }

    /// Ends one body and begins the next; nil if there is nothing more to do for this thread.
    @inline(__always)
    private func conclude(_ end: (inout WorkflowMachine, inout WorkflowTurn) -> Void) -> TaskJob? {
        let now = engineClock.now()
        let isOver = isSliceOver(now)
        var leavesLater = false
        let next = send(at: now) { machine, turn -> TaskJob? in
            end(&machine, &turn)
            var next: TaskJob?
            if isOver || machine.throttle.proceed(at: now) != .work {
                // If a task may begin, `endTurn` can enqueue this workflow again, behind the jobs that wait. While this
                // thread performs notifications it counts as a worker, for `yield`.
                stopTaking(&machine)
                leavesLater = turn.willTell
                if !leavesLater { machine.throttle.leave(at: now) }
            } else {
                next = take(&machine, &turn)
            }
            machine.endTurn(&turn)
            return next
        }
        if leavesLater { change { machine, turn in machine.throttle.leave(at: turn.now) } }
        return next ?? proceed(nil)
    }

    private func isSliceOver(_ now: Instant) -> Bool {
        // The pool's hint is read once per slice only, because other cores write it.
        guard now.nanoseconds - sliceBegan.nanoseconds > Self.slice else { return false }
        sliceBegan = now
        return worker.isAwaited
    }

    /// Returns the next body after a transaction: the one taken, one that it keeps, or the first of the queue.
    private func proceed(_ taken: TaskJob?) -> TaskJob? {
        if let taken { return taken }
        while keepsNextJob || isObserving {
            if !keepsNextJob {
                if let job = observe() { return job }
                continue
            }
            if let job = keptJob {
                keptJob = nil
                if let job = checked(job) { return job }
                continue
            }
            // The notifications have released no body for this thread. Other threads may have enqueued tasks meanwhile.
            let next = change { take(&$0, &$1) }
            if let next { return next }
        }
        return nil
    }

    /// Takes the next body; without one the worker leaves or observes, unless it has notifications to perform first.
    @inline(__always)
    private func take(_ machine: inout WorkflowMachine, _ turn: inout WorkflowTurn) -> TaskJob? {
        keepsNextJob = false
        isObserving = false
        defer { machine.recordsHere = false }
        // Another thread would perform the notifications of the next task. If this thread has entries to write first,
        // it doesn't yield, because an observer must look soon.
        if machine.notifiesAll, turn.isNotifyingElsewhere, !machine.recordsHere,
            let part = machine.throttle.yield(at: turn.now, begun: machine.tasks.begun)
        {
            isObserving = part == .observe
            return nil
        }
        // A listener may block this thread, and a body that it had taken.
        if !turn.willTell, let next = machine.nextJob(&turn) { return next }
        // By the end of the last body, or by `nextJob`, which may have begun a task with listeners.
        if turn.willTell || machine.recordsHere {
            keepsNextJob = true
        } else {
            isObserving = machine.throttle.rest(at: turn.now, begun: machine.tasks.begun) == .observe
        }
        return nil
    }

    /// Has this thread take and keep no further bodies.
    private func stopTaking(_ machine: inout WorkflowMachine) {
        keepsNextJob = false
        isObserving = false
        machine.recordsHere = false
    }

    /// Returns a body whose listeners were notified; nil if its attempt was stopped meanwhile.
    private func checked(_ job: TaskJob) -> TaskJob? {
        change { machine, turn in
            keepsNextJob = true
            return machine.stillBegins(job, &turn)
        }
    }
}
