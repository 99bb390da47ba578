import SteplineEngine
public import SteplineSupport

/// A task that runs a workflow and ends like this workflow.
///
///     SubworkflowTask(name: "photos", subworkflow: inner)
///
/// The task finishes when the inner workflow is finished. It fails with the error of the first inner task that fails,
/// and is cancelled if an inner task is cancelled. Its own cancel, reset and retry affect all inner tasks. Reset and
/// retry of an inner task don't affect this task. Its result is the workflow.
public class SubworkflowTask: WorkflowTask, @unchecked Sendable {  // the counter is locked
    /// The inner workflow.
    public final let subworkflow: Workflow

    /// The number of running cancellations of the inner workflow by this task.
    private let cancelling = Locked(0)

    /// Creates a task that owns a workflow.
    ///
    /// - Parameters:
    ///   - name: The name; nil for the default.
    ///   - subworkflow: The inner workflow, which must not belong to another task.
    ///   - options: The options of the task.
    public init(name: String? = nil, subworkflow: Workflow, options: TaskOptions = .init()) {
        self.subworkflow = subworkflow
        super.init(name: name, options: options)
    }

    /// Resets the inner workflow.
    public override func didReset() {
        subworkflow.reset()
        reportIfSettled()
    }

    /// Resets the inner workflow, if a task inside has begun, ended or been fulfilled at any depth.
    ///
    /// - Parameter isRetry: Whether a prerequisite is retried. Until this task has begun in this process, a retry keeps
    ///   fulfilled conditions, unless another task inside has begun or ended.
    final override func resetInside(isRetry: Bool) {
        // Nests may be too deep for recursion.
        var left = [self]
        while let task = left.popLast() {
            let isUnbegun =
                isRetry
                && task.home.map { core, number in
                    let node = core.look { $0.tasks[number] }
                    return node.attempt.number == 0 || node.facts.contains(.begunBefore)
                } ?? true
            let (isStale, inside) = task.subworkflow.core.look { machine in
                let isStale = isUnbegun ? machine.hasBodiesOrEnds : machine.isChangedByReset
                return (isStale, isStale ? [] : machine.subworkflowTasks)
            }
            if isStale { return didReset() }
            left += inside
        }
    }

    /// Takes the Failed and Cancelled inner tasks back, without starting them.
    public override func didRetry() { subworkflow.core.change { $0.takeBack(&$1) } }

    /// Cancels the inner workflow in its current generation for one attempt, ignoring its notifications.
    ///
    /// Does nothing once another attempt has begun.
    final override func cancelInside(_ reason: CancellationReason, of attempt: UInt32) {
        cancelling.withLock { $0 += 1 }
        defer {
            cancelling.withLock { $0 -= 1 }
            reportIfSettled()
        }
        while true {
            // Read first: if the inner workflow leaves this generation, the cancel below fails and the loop repeats.
            let generation = subworkflow.core.look { $0.generation }
            if let (core, number) = home {
                let node = core.look { $0.tasks[number] }, own = node.attempt
                if own.number != attempt, own.isRunning(own.number) { return }
                // The task and its inner workflow were put back meanwhile. Only a retry policy resumes them.
                let continues = own.number == attempt && own.failures > 0 && node.state == .ready
                if node.state == .pending || node.state == .ready && !continues { return }
            }
            if subworkflow.cancel(reason, in: generation) { return }
        }
    }

    override var traits: TaskNode.Traits { [.subworkflow, .endsByCall] }

    /// The type of the workflow, which is the result.
    public override var resultType: (any Sendable.Type)? { Workflow.self }

    override var canHaveIssues: Bool { true }

    /// Whether inner task names stand alone, without this task's name as a prefix.
    var isTransparent: Bool { false }

    /// The type of the elements that the inner tasks use, if other runs may reuse their results.
    var cachedElementType: (any Sendable.Type)? { nil }

    /// How this task's result is made of its inner tasks', if a durable run stores those; nil for its own result.
    var elementList: ElementList? { nil }

    /// The types of a growing map; nil for any other task.
    var growth: Growth? { nil }

    /// The inner tasks of the elements in the order of the list; nil for a task that is no map.
    var elementNumbers: [Int32]? { nil }

    /// Whether the list of a map has a result or an error for each element.
    var collectsFailures: Bool { false }

    /// Returns the end of an inner task's attempt with the tasks to add for what it has found.
    ///
    /// Called on the thread on which the body has ended, without the inner machine's lock.
    func prepare(_ grown: GrownResult, of number: Int32) throws -> GrownResult { grown }

    /// Returns the element of a growing map that an inner task runs for; nil for other tasks.
    func grownElement(_ number: Int32) -> (value: any Sendable, depth: Int)? { nil }

    /// Adds an element that a worker runs alone, or gives its task this element; returns the task's number.
    func addAlone(_ element: any Sendable, depth: Int) -> Int32? { nil }

    /// Whether a growing map has found elements beyond its maximum number; false if an earlier process finished it.
    package var hasRefusedElements: Bool { false }

    var mapped: MappedElements? { nil }  // the tasks of a map's elements

    /// The pool slots of inner tasks that are created during the run.
    var placesOfElements: [ConcurrencyPool: Int] { [:] }

    /// Returns the issues of the inner workflow.
    public override func findIssues() -> [CheckIssue] {
        ownIssues() + subworkflow.check().map { $0.inside(subworkflow.name) }
    }

    /// Returns the issues of this task alone.
    func ownIssues() -> [CheckIssue] {
        subworkflow.taskCount > 0
            ? [] : [CheckIssue(.emptySubworkflow, .warning, "its subworkflow is empty")]
    }

    override func willJoin(_ home: WorkflowHome) throws {
        // A workflow without subworkflows can't contain this one.
        if home === subworkflow.core || subworkflow.core.look({ $0.hasSubworkflows }) {
            var outer: WorkflowCore? = home.core
            while let around = outer {
                if around === subworkflow.core {
                    throw WorkflowError(.nestingCycle, name, "\(subworkflow.name) would be inside itself")
                }
                outer = around.surroundings.withLock { $0.enclosingTask }?.home?.core
            }
        }
        // Compared after unlock, because `other` may be the last reference.
        let other = subworkflow.core.surroundings.withLock { inside in
            let other = inside.enclosingTask
            if other == nil { inside.enclosingTask = self }
            return other
        }
        guard other == nil || other === self else {
            throw WorkflowError(.subworkflowInUse, name, "\(subworkflow.name) belongs to another task")
        }
        // Set after the claim, so a rejected task leaves the other task's mark unchanged.
        subworkflow.core.look { $0.isEnclosed = true }
    }

    override func hasNotJoined() {
        let around = subworkflow.core.surroundings.withLock { $0.enclosingTask }
        guard around === self else { return }
        subworkflow.core.look { $0.isEnclosed = false }
        subworkflow.core.surroundings.withLock { $0.enclosingTask = nil }
    }

    // MARK: Running

    // Two machines decide here, each under its own lock, so no decision sees both at one instant.
    //
    // - Down: `enter`, `cancelInside`, `didReset` and `didRetry`. A message may come between the reading of the inner
    //   state and the decision: `enter` and `cancelInside` take effect only in the generation that they have read.
    // - Up: `hear`, which reads the inner state again. An end of an attempt that isn't running is ignored.

    /// Creates the inner tasks for a run without starting them, and returns the following generation.
    ///
    /// Nil, without any change, if the inner workflow has left `generation`.
    func fillInside(in generation: UInt64) throws -> UInt64? { generation }

    override func begin(_ attempt: TaskAttempt) -> Bool {
        // The attempt ends by its number: its object would retain this task.
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

    /// Starts the inner workflow for an attempt; returns its state if it can't be started.
    ///
    /// A message to this task first stops the attempt, and later resets or cancels the inner workflow, which then
    /// leaves its generation. The attempt therefore enters only the generation in which it was seen running. In a later
    /// generation, the start would follow the reset that should undo it.
    private func enter(_ attempt: TaskAttempt) throws -> Inside {
        while true {
            let generation = subworkflow.core.look { $0.generation }
            guard !attempt.isCancelled else {
                // The attempt has nothing to wait for in the inner workflow.
                if let (core, number) = home { core.change { $0.insideIsOver(number, attempt.attempt, &$1) } }
                return .open
            }
            // A map takes its elements back in `fillInside`.
            let takesBack = !isTransparent && isTriedAgain
            guard let filled = try fillInside(in: generation) else { continue }
            subworkflow.core.keepValues()
            let inside = subworkflow.core.change { machine, turn in
                machine.enter(
                    attempt.attempt, in: filled, takesBack: takesBack, isMap: isTransparent, &turn)
            }
            if let inside { return inside }
        }
    }

    /// Whether the retry policy repeats this task.
    private var isTriedAgain: Bool {
        home.map { core, number in core.look { $0.tasks[number].attempt.failures > 0 } } ?? false
    }

    /// Reports that a stopped attempt is over, once the inner workflow has settled.
    final func reportIfSettled() {
        let attempt = attemptInside
        guard let (core, number) = home, isSettledInside else { return }
        core.change { $0.insideIsOver(number, attempt, &$1) }
    }

    /// Handles a notification of the inner workflow; a late, outdated one has no effect.
    func hear(_ news: InsideNews) {
        // Read before the inner workflow: its state says nothing about an attempt that begins meanwhile.
        let attempt = attemptInside
        switch news {
        case .failed(let error):
            // Checked first, because it is cheap: many inner tasks may fail one after the other.
            guard isOpen(attempt), case .failed = insideState else { return }
            end(attempt) { core, number in core.failure(of: number, error) }
        case .cancelled(let reason):
            // A cancellation by this task itself must not cancel it again.
            guard cancelling.withLock({ $0 == 0 }), hasCancelledInside else { return }
            // After its own time-out, or a failure inside, the task has failed instead.
            guard reason != .timeIsOver, reason.code != .otherFailure else { return }
            // A task that was taken back and hasn't begun again finds the cancellation when it begins.
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

    /// Ends the task like the settled inner workflow.
    ///
    /// The current state decides: a notification may have come just before this attempt could receive it. The last
    /// inner task doesn't end it, since an observer of this task's end must find the inner workflow settled.
    func endAsInside(_ attempt: UInt32) {
        guard isSettledInside else { return }
        switch insideState {
        case .finished: end(attempt) { _, _ in .finished(self.subworkflow) }
        case .failed(let failure): end(attempt) { core, number in core.failure(of: number, failure.error) }
        case .cancelled: endCancelled(attempt)
        // A task was taken back and may be started by a caller.
        case .open: break
        }
    }

    private var insideState: Inside { subworkflow.core.look { $0.insideState } }

    final var isSettledInside: Bool { subworkflow.core.look { $0.run.isSettled } }

    final var hasCancelledInside: Bool { subworkflow.core.look { $0.hasCancelled } }

    /// Cancels an attempt because of an inner cancellation, if it is running.
    final func endCancelled(_ attempt: UInt32) {
        cancelAlone(.inside) { $0.attempt.isRunning(attempt) }
    }

    /// Ends an attempt, if it is running.
    ///
    /// Work that continues inside counts as the live body of the attempt. ``reportIfSettled()`` reports its end.
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

    /// Returns whether an attempt is running and its end isn't being stored.
    final func isOpen(_ attempt: UInt32) -> Bool {
        home.map { core, number in
            core.look { $0.tasks[number].attempt.isRunning(attempt) && !$0.isBeingKept(number) }
        } ?? false
    }

    /// The attempt that the inner workflow runs for, or ran for; 0 before the first.
    private var attemptInside: UInt32 { subworkflow.core.look { $0.enclosingAttempt } }

    /// Cancels this task and its dependents without the inner workflow.
    ///
    /// Does nothing once this task has ended, also while its end is being stored.
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
