import SteplineEngine
import SteplineSupport

/// From Ready to the begin of a body.
///
/// `start` enqueues an attempt. The queued task waits in turn for the bodies of cleanups, for places in its pools, and
/// for a thread, an operation queue or the executor. A thread takes it by `nextJob`, a queue by `beginExternal`; both
/// check the limit of live bodies, and skip entries of tasks that were stopped since they were enqueued.
///
/// | A queued task waits for | Entered by | Left by |
/// | --- | --- | --- |
/// | the live body of a cleanup, or of a guarded task | ``enqueue(_:_:)`` | ``releaseHeld(by:_:)`` |
/// | the end of a pause, if it has pools | ``enqueue(_:_:)``, `pause` | ``releasePaused(_:)`` |
/// | places in its pools | the effect `takePlaces` | ``placesGranted(_:_:_:)`` |
/// | a worker | the ready queue | ``nextJob(_:)``, ``nextAsyncJob(_:)`` |
/// | its operation queue, or the executor | the effect `hand` | ``beginExternal(_:_:)`` |
/// | the limit, after its queue has called | ``beginExternal(_:_:)`` | ``releaseDeferred()`` |
///
/// The phase of the attempt is `queued` in all of them. Entries aren't searched when a task is stopped: they become
/// stale, and the thread that takes one finds that.
extension WorkflowMachine {
    /// Enqueues an attempt of a Ready task, also one that is backing off.
    mutating func start(_ number: Int32, _ turn: inout WorkflowTurn) {
        guard tasks[number].state == .ready else {
            // A task that was put back becomes Ready once its listeners are notified.
            if tasks[number].state == .pending, tasks[number].facts.contains(.listenersPending) {
                rare.startsWhenNotified.insert(number)
            }
            return
        }
        if tasks[number].attempt.phase == .backingOff {
            // A start ends the back-off: the attempt begins now.
            turn.withdraw(TaskTimer(number: number, kind: .backOff))
        }
        if tasks.enqueue(number) {
            enqueue(number, &turn)
        } else if tasks[number].attempt.hasBody {
            // The old body is live, and its end enqueues the attempt. From now on the wait for that end is bounded.
            eventLog.logWait(number, for: .lastBody, at: turn.now)
            boundLastBody(number, &turn)
        }
    }

    /// Has a queued task wait for what it needs first: bodies of cleanups, places in pools, its turn.
    @inline(__always)
    mutating func enqueue(_ number: Int32, _ turn: inout WorkflowTurn) {
        // Before the pools: a task that waits for a body must not hold places.
        if rare.hasCleanups, isHeldByBodies(number, &turn) {
            rare.heldByBodies.insert(number)
            return eventLog.logWait(number, for: .lastBody, at: turn.now)
        }
        guard tasks[number].traits.contains(.hasPools) else { return awaitTurn(number, &turn) }
        guard limit > 0 else {
            rare.heldByPause.insert(number)
            return eventLog.logWait(number, for: .limit, at: turn.now)
        }
        requestPlaces(number, &turn)
    }

    /// Has the tasks with pools that a pause has held line up for their places.
    mutating func releasePaused(_ turn: inout WorkflowTurn) {
        guard !rare.heldByPause.isEmpty else { return }
        let held = rare.heldByPause.sorted()
        rare.heldByPause = []
        // A task that was stopped meanwhile isn't queued; its number may have passed to another task.
        for number in held where isQueued(number) && !rare[live: number].hasRequest {
            guard !rare.heldByBodies.contains(number) else { continue }
            requestPlaces(number, &turn)
        }
    }

    @inline(__always)
    private mutating func awaitTurn(_ number: Int32, _ turn: inout WorkflowTurn) {
        if eventLog.recordsEvents {
            let cause = usualWait(number)
            eventLog.logWait(number, for: cause, at: turn.now)
        }
        if tasks[number].traits.contains(.isExternal) {
            external.add(number)
        } else {
            ready.append(number, priority: tasks[number].priority.rawValue)
        }
    }

    private func usualWait(_ number: Int32) -> WaitCause {
        if tasks[number].traits.contains(.isExternal), options.executor == nil { return .queue }
        return tasks.live >= limit || isHeldByStore(number) ? .limit : .thread
    }

    // MARK: Pools

    private mutating func requestPlaces(_ number: Int32, _ turn: inout WorkflowTurn) {
        guard let options = rare.options[number], let core else { return }
        // The callback retains the core, until the request is granted or given back.
        let request = PoolRequest(options.places, priority: tasks[number].priority) { [core] in
            core.placesGranted(number, $0)
        }
        // Stored before the effect. A cancel may come between unlock and `take`, and then gives this request back
        // first; the pool ignores a `take` after that.
        rare[live: number].places = .awaited(request)
        eventLog.logWait(number, for: .pools, at: turn.now)
        turn.order(.takePlaces(request, number))
    }

    /// A task has its places; a task that has left the line gave them back then.
    mutating func placesGranted(_ number: Int32, _ request: PoolRequest, _ turn: inout WorkflowTurn) {
        // A stopped task has no request any more, and a task that was started again has another one.
        guard case .awaited(let awaited) = rare[live: number].places, awaited === request else { return }
        rare[live: number].places = .held(request)
        awaitTurn(number, &turn)
    }

    /// Gives back the places of a task, or leaves the line for them.
    mutating func giveBack(_ number: Int32, _ turn: inout WorkflowTurn) {
        switch rare[live: number].places {
        case .awaited(let request), .held(let request):
            // Counted until the pool has the places, so the run doesn't settle before.
            run.returns += 1
            turn.order(.giveBack(request))
        case .none: return
        }
        rare[live: number].places = .none
    }

    private func hasPlaces(_ number: Int32) -> Bool {
        if case .held = rare[live: number].places { true } else { false }
    }

    // MARK: Dequeueing

    @inline(__always)
    func isQueued(_ number: Int32) -> Bool {
        tasks[number].state == .ready && tasks[number].attempt.isQueued
    }

    /// Begins the next attempt, and returns its body; nil if no body may begin here and now.
    ///
    /// Begins at most one task whose listeners are notified first, as its body follows the notifications. Further
    /// tasks would only be Executing without a thread. If another thread performs notifications, tasks without
    /// listeners behind such a task may begin here.
    @inline(__always)
    mutating func nextJob(_ turn: inout WorkflowTurn) -> TaskJob? {
        while tasks.live < limit, !hasMostCommits, let number = ready.popFirst() {
            prefetchUpcoming()
            if isQuiet, let attempt = tasks.beginPlain(number) {
                eventLog.countEvent()
                return TaskJob(number: number, attempt: attempt, traits: [], work: tasks.work(number))
            }
            guard mayBeginHere(number) else { continue }
            // Nil also for a condition, and for a begin that the journal records first. In these cases this thread
            // looks further.
            if let job = begin(number, &turn) { return job }
            // This thread performs the notifications first; another one works meanwhile.
            if turn.willTell
                || turn.hasPendingNews && isObserved(number) && (notifiesAll || !turn.isTellingElsewhere)
            {
                return nil
            }
        }
        return nil
    }

    /// Loads the tasks that begin next into the processor's cache.
    ///
    /// In a wide graph each of them is a cache miss, and under the lock all workers wait for it.
    @inline(__always)
    private func prefetchUpcoming() {
        if let task = ready.upcoming(3) {
            tasks.prefetch(task)
            graph.prefetchLinks(task)
        }
        if let task = ready.upcoming(1) {
            tasks.prefetchCaptures(task)
            graph.prefetchDependents(task)
        }
    }

    /// Begins the next attempt if its body is `async`: any thread may begin such a body, as that doesn't block.
    mutating func nextAsyncJob(_ turn: inout WorkflowTurn) -> TaskJob? {
        while tasks.live < limit, let number = ready.next {
            if mayBeginHere(number) {
                // A synchronous body at the head is for a worker. The bodies behind it don't overtake it.
                guard case .async = tasks.work(number) else { return nil }
                _ = ready.popFirst()
                return begin(number, &turn)
            }
            _ = ready.popFirst()
        }
        return nil
    }

    /// Whether an entry of the ready queue is good: it is stale if its task was stopped, or has begun, since it was
    /// added.
    ///
    /// A task that was stopped and started again may wait for pools or cleanups before it gets an entry of its own.
    @inline(__always)
    func mayBeginHere(_ number: Int32) -> Bool {
        isQueued(number) && (!tasks[number].traits.contains(.hasPools) || hasPlaces(number))
            && !(rare.hasCleanups && rare.heldByBodies.contains(number))
    }

    /// Begins an attempt that was handed to a queue or to the executor.
    mutating func beginExternal(_ task: ExternalTask, _ turn: inout WorkflowTurn) -> TaskJob? {
        // The ticket is void if the task was stopped since it was handed to the queue.
        guard external.use(task.ticket, of: task.number) else { return nil }
        if let job = task.job { return stillBegins(job, &turn) }
        guard isQueued(task.number) else { return nil }
        guard tasks.live < limit else {
            // The thread of the queue isn't held: the end of another body hands the task to its queue again.
            external.deferTask(task.number)
            eventLog.logWait(task.number, for: .limit, at: turn.now)
            return nil
        }
        return begin(task.number, &turn)
    }

    /// A queue has dropped a task, which cancels the task.
    mutating func wasDropped(_ task: ExternalTask, _ turn: inout WorkflowTurn) {
        guard external.use(task.ticket, of: task.number) else { return }
        cancel([task.number], .queueCancelled, &turn)
        // The attempt had begun, and its body never will: this counts as the return.
        if let job = task.job { bodyReturned(job, isOver: true, &turn) }
    }

    /// Begins the queued attempt.
    ///
    /// - Returns: Nil if the body doesn't begin by that: listeners are notified first, or there is none.
    @inline(__always)
    private mutating func begin(_ number: Int32, _ turn: inout WorkflowTurn) -> TaskJob? {
        let traits = tasks[number].traits
        // Before the number is taken: the store has ends under the numbers of attempts that never began.
        if traits.contains(.durable) { skipUsedNumbers(number) }
        guard let attempt = tasks.begin(number) else { return nil }
        if traits.contains(.hasRareState) { setTimers(number, &turn) }
        report(.started, number, from: .ready, &turn)
        if traits.contains(.condition) {
            runCondition(number, attempt, &turn)
            return nil
        }
        let job = TaskJob(number: number, attempt: attempt, traits: traits, work: tasks.work(number))
        // Nil: `Workflow.wasKept` begins the body once the begin is recorded.
        if traits.contains(.durable), recordBegin(job, &turn) == nil { return nil }
        guard isObserved(number) else { return job }
        // Queued behind the notifications of the begin, so the body begins after its observers were called.
        turn.tell(.run(job))
        return nil
    }

    /// Returns the job if its attempt still runs; otherwise its body is over.
    mutating func stillBegins(_ job: TaskJob, _ turn: inout WorkflowTurn) -> TaskJob? {
        if tasks[job.number].attempt.isRunning(job.attempt) { return job }
        bodyReturned(job, isOver: true, &turn)
        return nil
    }

    /// Hands an attempt that has begun to another thread of its queue.
    ///
    /// An attempt that was stopped meanwhile must not take the place of the next, which may be in the queue already.
    mutating func handAgain(_ job: TaskJob, _ turn: inout WorkflowTurn) {
        if let job = stillBegins(job, &turn) { external.add(job.number, job) }
    }

    // MARK: Conditions

    private mutating func runCondition(_ number: Int32, _ attempt: UInt32, _ turn: inout WorkflowTurn) {
        if let fulfilment = rare.fulfilments[number] {
            end(number, attempt, .finished(fulfilment), &turn)
        } else if rare.failingConditions.contains(number) {
            let error = WorkflowError(.conditionNotFulfilled, name(number), "the condition is not fulfilled")
            end(number, attempt, .failed(TaskFailure(error), retryAfter: nil), &turn)
        }
        // An attempt that ended above is over with this return. Otherwise it stays Executing until `fulfill`.
        afterBody(number, tasks.bodyReturned(number, attempt, isOver: false), &turn)
        // A waiting condition occupies no places.
        if tasks[number].waitsOutside { giveBack(number, &turn) }
    }

    /// Fulfils a condition; returns false if it was fulfilled before.
    ///
    /// - Parameter around: The state of the task around this workflow: nothing begins unless it is Executing. With nil
    ///   the condition begins at once.
    mutating func fulfill(
        _ number: Int32, with result: (any Sendable)?, waitingFor around: WorkflowTask.State? = nil,
        _ turn: inout WorkflowTurn
    ) -> Bool {
        guard rare.fulfilments[number] == nil, !tasks[number].facts.contains(.forgotten) else {
            return false
        }
        rare.fulfilments[number] = .some(result)
        if tasks[number].traits.contains(.durable) { record(.fulfilled(result), number, &turn) }
        logEvent(.fulfilled, number, turn)
        switch tasks[number].state {
        case .pending, .ready:
            // A Pending condition keeps the result; one that was put back starts once its listeners are notified.
            if around == nil || around == .executing { start(number, &turn) }
        case .executing:
            end(number, tasks[number].attempt.number, .finished(result), &turn)
        case .failed, .cancelled:
            switch around {
            case nil, .executing: retry([number], &turn)
            case .pending, .ready: retry([number], starts: false, &turn)
            // A retry of the task around takes the condition back.
            case .finished, .failed, .cancelled: break
            }
        case .finished: break
        }
        return true
    }

    // MARK: Cleanups

    /// Whether the task is a cleanup, and none of the tasks that it guards has begun.
    func isUnneeded(_ number: Int32) -> Bool {
        guard tasks[number].traits.contains(.cleanup) else { return false }
        return !graph.places(of: number).contains {
            tasks[graph.edge(at: $0).prerequisite].facts.contains(.began)
        }
    }

    /// Whether the task is a cleanup in a workflow whose enclosing task has not begun.
    ///
    /// A durable run can restore such a workflow with begun tasks, and cancel it before its task begins. Nothing would
    /// wait for the cleanup: it runs once its workflow does.
    func isUnattended(_ number: Int32) -> Bool {
        isEnclosed && tasks[number].traits.contains(.cleanup) && run.isSettled && !run.isRunning
    }

    /// Starts a Ready task as a part of a run; ends it instead if it is a cleanup that isn't needed.
    mutating func startInRun(_ number: Int32, _ turn: inout WorkflowTurn) {
        if !tasks[number].attempt.isBusy, isUnneeded(number) {
            skipCleanup(number, from: .ready, &turn)
        } else {
            start(number, &turn)
        }
    }

    /// Whether a cleanup that guards the task has a live body, or the task is a cleanup and a task that it guards has
    /// one.
    ///
    /// A body may outlive the end of its task: after a cancel, a time-out, or an end that the body has reported itself.
    /// It is waited for no longer than its grace.
    private mutating func isHeldByBodies(_ number: Int32, _ turn: inout WorkflowTurn) -> Bool {
        // A `guards` edge leads from the guarded task to its cleanup, which is the dependent.
        let isGuarded = graph.edges(from: number).contains {
            $0.kind == .guards && tasks[$0.dependent].attempt.hasBody
        }
        guard tasks[number].traits.contains(.cleanup) else { return isGuarded }
        var isHeld = isGuarded
        // No exit at the first live body: each of them gets a bound.
        for place in graph.places(of: number) {
            let guarded = graph.edge(at: place).prerequisite
            guard tasks[guarded].attempt.hasBody else { continue }
            boundLastBody(guarded, &turn)
            isHeld = true
        }
        return isHeld
    }

    /// A body is over: releases the tasks that it guards, and the cleanups that guard its task, unless another body
    /// holds them.
    mutating func releaseHeld(by number: Int32, _ turn: inout WorkflowTurn) {
        guard !rare.heldByBodies.isEmpty else { return }
        var held = graph.edges(from: number).filter { $0.kind == .guards }.map(\.dependent)
        if tasks[number].traits.contains(.cleanup) { held = graph.prerequisites(of: number) + held }
        for other in held {
            // `enqueue` inserts the task again if another body holds it.
            if rare.heldByBodies.remove(other) != nil, isQueued(other) { enqueue(other, &turn) }
        }
    }
}
