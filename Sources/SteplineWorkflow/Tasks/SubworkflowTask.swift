import SteplineEngine
public import SteplineSupport

/// A task that runs a whole workflow, and ends as that does.
///
///     SubworkflowTask(name: "photos", subworkflow: inner)
///
/// It finishes with the workflow when that is finished, fails with the error of the first task in there that
/// fails, and is cancelled when one in there is. Its own cancel, reset and retry reach all tasks inside; messages
/// to tasks inside don't reach this one. Its result is the workflow.
public class SubworkflowTask: WorkflowTask, @unchecked Sendable {  // the counter is locked
    /// The workflow inside.
    public final let subworkflow: Workflow

    /// How many cancels of the workflow inside this task is in the middle of.
    private let cancelling = Locked(0)

    /// Makes a task that owns a workflow.
    public init(name: String? = nil, subworkflow: Workflow, options: TaskOptions = .init()) {
        self.subworkflow = subworkflow
        super.init(name: name, options: options)
    }

    /// Resets the workflow inside.
    public override func didReset() {
        subworkflow.reset()
        reportIfSettled()
    }

    /// Resets the workflow inside, if anything in there has begun or ended.
    final override func resetInside() {
        let ends: [State] = [.finished, .failed, .cancelled]
        let isTouched = subworkflow.core.look { machine in
            machine.tasks.busy > 0 || ends.contains { machine.tasks.counts[$0] > 0 }
        }
        if isTouched { didReset() }
    }

    /// Takes the Failed and Cancelled tasks inside back, without starting them.
    public override func didRetry() { subworkflow.core.change { $0.takeBack(&$1) } }

    /// Cancels the workflow inside as it stands for an attempt, without hearing of it; nothing once another has begun.
    final override func cancelInside(_ reason: CancellationReason, of attempt: UInt32) {
        cancelling.withLock { $0 += 1 }
        defer {
            cancelling.withLock { $0 -= 1 }
            reportIfSettled()
        }
        while true {
            let generation = subworkflow.core.look { $0.generation }
            if let (core, number) = home {
                let node = core.look { $0.tasks[number] }, own = node.attempt
                if own.number != attempt, own.isRunning(own.number) { return }
                // Put back since then, it goes on with what is inside as that was put back; unless it is its retry policy
                // that has it go on.
                let goesOn = own.number == attempt && own.failures > 0 && node.state == .ready
                if node.state == .pending || node.state == .ready && !goesOn { return }
            }
            if subworkflow.cancel(reason, in: generation) { return }
        }
    }

    override var traits: TaskNode.Traits { [.subworkflow, .endsByCall] }

    /// The workflow's type: that is the result.
    public override var resultType: (any Sendable.Type)? { Workflow.self }

    override var canHaveIssues: Bool { true }

    /// Whether the names of what is inside stand for themselves, without its own before them.
    var isTransparent: Bool { false }

    /// The type of the elements that its tasks are made for, if other runs may take over what is made of them.
    var cachedElementType: (any Sendable.Type)? { nil }

    /// How its result is made of those of its tasks, if a durable run keeps each of them; nil if it has one of its own.
    var elementList: ElementList? { nil }

    /// The places in pools that tasks need which are still to be made inside.
    var placesOfElements: [ConcurrencyPool: Int] { [:] }

    /// What the check finds in the workflow inside.
    public override func findIssues() -> [CheckIssue] {
        ownIssues() + subworkflow.check().map { $0.inside(subworkflow.name) }
    }

    /// What is wrong with it apart from what is inside.
    func ownIssues() -> [CheckIssue] {
        subworkflow.taskCount > 0
            ? [] : [CheckIssue(.emptySubworkflow, .warning, "its subworkflow is empty")]
    }

    override func willJoin(_ home: WorkflowHome) throws {
        // Who has no workflow inside can't be around anything.
        if home === subworkflow.core || subworkflow.core.look({ $0.hasSubworkflows }) {
            var outer: WorkflowCore? = home.core
            while let around = outer {
                if around === subworkflow.core {
                    throw WorkflowError(.nestingCycle, name, "\(subworkflow.name) would be inside itself")
                }
                outer = around.surroundings.withLock { $0.enclosingTask }?.home?.core
            }
        }
        // Compared after the lock, as it may be the last reference.
        let other = subworkflow.core.surroundings.withLock { inside in
            let other = inside.enclosingTask
            if other == nil { inside.enclosingTask = self }
            return other
        }
        guard other == nil || other === self else {
            throw WorkflowError(.subworkflowInUse, name, "\(subworkflow.name) belongs to another task")
        }
        subworkflow.core.look { $0.isEnclosed = true }
    }

    override func hasNotJoined() {
        let around = subworkflow.core.surroundings.withLock { $0.enclosingTask }
        guard around === self else { return }
        // Before another task may have it.
        subworkflow.core.look { $0.isEnclosed = false }
        subworkflow.core.surroundings.withLock { $0.enclosingTask = nil }
    }

    // MARK: Running

    /// Makes what is inside for a run, without starting it, if the workflow inside is in that generation.
    ///
    /// - Returns: The generation after that; nil if the workflow inside has left the generation, and nothing was made.
    func fillInside(in generation: UInt64) throws -> UInt64? { generation }

    /// Where the workflow inside stands, as that decides on this task.
    enum Inside {
        case finished
        /// With the failure of the earliest date; of equal ones, that of the first added.
        case failed(TaskFailure)
        case cancelled
        /// It can be started, or goes on.
        case open
    }

    override func begin(_ attempt: TaskAttempt) -> Bool {
        // Ended by its number, as the attempt itself would keep this task.
        attempt.isEndedByNumber()
        if let core = attempt.core, core.hasFaults { core.handFaults(to: subworkflow.core) }
        do {
            switch try enter(attempt) {
            case .finished: attempt.finish(with: subworkflow)
            case .failed(let failure): attempt.fail(with: failure.error)
            case .cancelled: endCancelled(attempt.attempt)
            case .open: break
            }
        } catch {
            attempt.fail(with: error)
        }
        return false
    }

    /// Starts the workflow inside for an attempt; returns how it stands if it can't be started.
    ///
    /// A message to this task stops the attempt first, and resets or cancels the workflow inside later, by which that
    /// leaves its generation. So the attempt enters the generation in which it was seen running, and no other: in a later
    /// one the start would follow the reset that was to undo it.
    private func enter(_ attempt: TaskAttempt) throws -> Inside {
        while true {
            let generation = subworkflow.core.look { $0.generation }
            guard !attempt.isCancelled else {
                // It has nothing inside that is to be waited for.
                if let (core, number) = home { core.change { $0.insideIsOver(number, attempt.attempt, &$1) } }
                return .open
            }
            // A map takes its elements back as it fills in the list.
            let takesBack = !isTransparent && isTriedAgain
            guard let filled = try fillInside(in: generation) else { continue }
            let inside = subworkflow.core.change { machine, turn in
                machine.enter(
                    attempt.attempt, in: filled, takesBack: takesBack, isMap: isTransparent, &turn)
            }
            if let inside { return inside }
        }
    }

    /// Whether its retry policy has it go on.
    private var isTriedAgain: Bool {
        home.map { core, number in core.look { $0.tasks[number].attempt.failures > 0 } } ?? false
    }

    /// A stopped attempt is over when nothing happens inside any more.
    final func reportIfSettled() {
        let attempt = attemptInside
        guard let (core, number) = home, isSettledInside else { return }
        core.change { $0.insideIsOver(number, attempt, &$1) }
    }

    /// Something has happened inside; what is heard late, and doesn't hold any more, changes nothing.
    func hear(_ news: InsideNews) {
        // Taken before looking inside: what is seen there says nothing of an attempt that begins meanwhile.
        let attempt = attemptInside
        switch news {
        case .failed(let error):
            // Asked first, as it costs nothing: many may fail one after the other.
            guard isOpen(attempt), case .failed = standing else { return }
            end(attempt) { core, number in core.failure(of: number, error) }
        case .cancelled(let reason):
            guard cancelling.withLock({ $0 == 0 }), hasCancelledInside else { return }
            // By its own time-out, or by a failure inside, it has failed.
            guard reason != .timeIsOver, reason.code != .otherFailure else { return }
            // One that was taken back since, and hasn't begun again, finds out when it does.
            cancelAlone(reason) { node in
                let own = node.attempt
                guard own.number > 0 else { return !node.facts.contains(.listenersPending) }
                let isBetweenAttempts = node.state == .ready && own.failures > 0 && own.isBusy
                return own.isRunning(attempt) || isBetweenAttempts
            }
        case .settled:
            endAsInside(attempt)
            reportIfSettled()
        }
    }

    /// Ends as the workflow inside stands, in which nothing happens any more.
    ///
    /// What was heard before doesn't decide: word of a failure or a cancel may have come just before this attempt could hear
    /// it. Not with the last task inside: who hears that this one is Finished finds that workflow settled.
    func endAsInside(_ attempt: UInt32) {
        guard isSettledInside else { return }
        switch standing {
        case .finished: end(attempt) { _, _ in .finished(self.subworkflow) }
        case .failed(let failure): end(attempt) { core, number in core.failure(of: number, failure.error) }
        case .cancelled: endCancelled(attempt)
        // Somebody has taken a task back, who may start it.
        case .open: break
        }
    }

    private var standing: Inside { subworkflow.core.look { $0.standing } }

    final var isSettledInside: Bool { subworkflow.core.look { $0.run.isSettled } }

    final var hasCancelledInside: Bool { subworkflow.core.look { $0.hasCancelled } }

    /// Cancels an attempt by what is inside, if it runs.
    final func endCancelled(_ attempt: UInt32) {
        cancelAlone(.inside) { $0.attempt.isRunning(attempt) }
    }

    /// Ends an attempt, if it runs.
    ///
    /// What goes on inside is its live body: as of one that was stopped, ``reportIfSettled()`` says that it is over.
    final func end(_ attempt: UInt32, _ end: (WorkflowCore, Int32) -> AttemptResult) {
        guard let (core, number) = home, isExecuting else { return }
        let how = end(core, number)
        let isOver = isSettledInside
        core.change { machine, turn in
            guard machine.tasks[number].attempt.isRunning(attempt) else { return }
            machine.end(number, attempt, how, by: isOver ? .body : .part, &turn)
        }
        if !isOver { reportIfSettled() }
    }

    /// Whether an attempt runs, and has no end that is being kept.
    private func isOpen(_ attempt: UInt32) -> Bool {
        home.map { core, number in
            core.look { $0.tasks[number].attempt.isRunning(attempt) && !$0.isBeingKept(number) }
        } ?? false
    }

    /// The attempt that the workflow inside runs for, or has; 0 before the first.
    private var attemptInside: UInt32 { subworkflow.core.look { $0.enclosingAttempt } }

    /// Cancels this task and its dependents, and leaves alone what is inside; nothing once this has ended, also if that is
    /// still to be kept.
    private func cancelAlone(_ reason: CancellationReason, if condition: (TaskNode) -> Bool) {
        guard let (core, number) = home else { return }
        core.change { machine, turn in
            let isOpen = [.pending, .ready, .executing].contains(machine.tasks[number].state)
            guard isOpen, condition(machine.tasks[number]), !machine.isBeingKept(number) else { return }
            machine.cancel([number], reason, sparesInside: true, &turn)
        }
        reportIfSettled()
    }
}

extension CancellationReason {
    fileprivate static let inside = CancellationReason(.part, "a task inside was cancelled")
}
