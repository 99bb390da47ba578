import SteplineEngine
import SteplineSupport

/// From Ready to the begin of a body.
extension WorkflowMachine {
    /// A Ready task is to begin as soon as it can; one that waits for its next attempt waits no longer.
    mutating func start(_ number: Int32, _ turn: inout WorkflowTurn) {
        guard tasks[number].state == .ready else {
            // It was put back, and is Ready once that is told.
            if tasks[number].state == .pending, tasks[number].facts.contains(.untold) {
                terms.startsWhenTold.insert(number)
            }
            return
        }
        if tasks[number].attempt.phase == .backingOff {
            turn.withdraw(TaskTimer(number: number, kind: .backOff))
        }
        if tasks.enqueue(number) {
            lineUp(number, &turn)
        } else if tasks[number].attempt.hasBody {
            story.logWait(number, for: .lastBody, at: turn.now)
            boundLastBody(number, &turn)
        }
    }

    /// All prerequisites are satisfied.
    @inline(__always)
    mutating func becomeReady(_ number: Int32, starts: Bool, _ turn: inout WorkflowTurn) {
        if starts, isUnneeded(number) { return isNotNeeded(number, from: .pending, &turn) }
        tasks.setState(.ready, number)
        count(.ready, number, turn)
        if isBeginTold(number) { tell(.ready, number, from: .pending, &turn) }
        if starts { start(number, &turn) }
    }

    /// A queued task gets in the line that it has to stand in.
    @inline(__always)
    mutating func lineUp(_ number: Int32, _ turn: inout WorkflowTurn) {
        if terms.hasCleanups, isHeldByBodies(number, &turn) {
            terms.heldByBodies.insert(number)
            return story.logWait(number, for: .lastBody, at: turn.now)
        }
        guard tasks[number].traits.contains(.hasPools) else { return enter(number, &turn) }
        askForPlaces(number, &turn)
    }

    /// A queued task may begin when its turn comes.
    @inline(__always)
    private mutating func enter(_ number: Int32, _ turn: inout WorkflowTurn) {
        if story.isHeard {
            let cause = usualWait(number)
            story.logWait(number, for: cause, at: turn.now)
        }
        if tasks[number].traits.contains(.isHanded) {
            handed.add(number)
        } else {
            ready.append(number, priority: tasks[number].priority.rawValue)
        }
    }

    private func usualWait(_ number: Int32) -> WaitCause {
        if tasks[number].traits.contains(.isHanded), options.executor == nil { return .queue }
        return tasks.live >= limit ? .limit : .thread
    }

    // MARK: Pools

    private mutating func askForPlaces(_ number: Int32, _ turn: inout WorkflowTurn) {
        guard let own = terms.own[number], let core else { return }
        let request = PoolRequest(own.options.enginePools, priority: tasks[number].priority) { [core] in
            core.placesGranted(number, $0)
        }
        terms.own[number]?.places = .awaited(request)
        story.logWait(number, for: .pools, at: turn.now)
        turn.order(.takePlaces(request, number))
    }

    /// A task has its places; if it doesn't want them any more, they were given back when it left the line.
    mutating func placesGranted(_ number: Int32, _ request: PoolRequest, _ turn: inout WorkflowTurn) {
        guard case .awaited(let awaited) = terms.own[number]?.places, awaited === request else { return }
        terms.own[number]?.places = .held(request)
        enter(number, &turn)
    }

    /// A task gives back its places, or leaves the line.
    mutating func giveBack(_ number: Int32, _ turn: inout WorkflowTurn) {
        switch terms.own[number]?.places {
        case .awaited(let request), .held(let request):
            run.returns += 1
            turn.order(.giveBack(request))
        case .none?, nil: return
        }
        terms.own[number]?.places = .none
    }

    private func hasPlaces(_ number: Int32) -> Bool {
        if case .held = terms.own[number]?.places { true } else { false }
    }

    // MARK: The turn of a task

    @inline(__always)
    func isQueued(_ number: Int32) -> Bool {
        tasks[number].state == .ready && tasks[number].attempt.phase == .queued
    }

    /// Begins the attempt whose turn it is, and returns its body; nil if none may begin here and now.
    @inline(__always)
    mutating func nextJob(_ turn: inout WorkflowTurn) -> TaskJob? {
        while tasks.live < limit, let number = ready.popFirst() {
            guard mayBeginHere(number) else { continue }
            if let job = begin(number, &turn) { return job }
            // This thread tells first what it has decided; while it does, another works.
            if turn.willTell { return nil }
        }
        return nil
    }

    /// Begins the attempt that is next if its body is `async`: any thread sets that going, and is held up by nothing.
    mutating func nextAsyncJob(_ turn: inout WorkflowTurn) -> TaskJob? {
        while tasks.live < limit, let number = ready.next {
            if mayBeginHere(number) {
                guard case .async = tasks.work(number) else { return nil }
                _ = ready.popFirst()
                return begin(number, &turn)
            }
            _ = ready.popFirst()
        }
        return nil
    }

    /// Whether what stands in line still may begin: it is stale if the task was stopped or has begun since it stood there.
    ///
    /// One that was stopped and asked for again may wait for something else before it stands in line again.
    @inline(__always)
    func mayBeginHere(_ number: Int32) -> Bool {
        isQueued(number) && (!tasks[number].traits.contains(.hasPools) || hasPlaces(number))
            && !(terms.hasCleanups && terms.heldByBodies.contains(number))
    }

    /// Begins an attempt that was handed to a queue or to the executor.
    mutating func beginHanded(_ task: HandedTask, _ turn: inout WorkflowTurn) -> TaskJob? {
        guard handed.use(task.ticket, of: task.number) else { return nil }
        if let job = task.job { return stillBegins(job, &turn) }
        guard isQueued(task.number) else { return nil }
        guard tasks.live < limit else {
            handed.putOff(task.number)
            story.logWait(task.number, for: .limit, at: turn.now)
            return nil
        }
        return begin(task.number, &turn)
    }

    /// A queue has dropped what it was to run: that is a cancellation.
    mutating func wasDropped(_ task: HandedTask, _ turn: inout WorkflowTurn) {
        guard handed.use(task.ticket, of: task.number) else { return }
        cancel([task.number], .queueCancelled, &turn)
        if let job = task.job { bodyReturned(job, isOver: true, &turn) }
    }

    /// Begins the queued attempt; nil if its body doesn't begin by that: others hear of it first, or it has none.
    @inline(__always)
    private mutating func begin(_ number: Int32, _ turn: inout WorkflowTurn) -> TaskJob? {
        let traits = tasks[number].traits
        if traits.contains(.durable) { skipUsedNumbers(number) }
        guard let attempt = tasks.begin(number) else { return nil }
        if traits.contains(.hasTerms) { setTimers(number, &turn) }
        count(.started, number, turn)
        if story.isHeard { story.logBegin(number, attempt: attempt, &turn) }
        if traits.contains(.condition) {
            tell(.started, number, from: .ready, &turn)
            runCondition(number, attempt, &turn)
            return nil
        }
        let job = TaskJob(number: number, attempt: attempt, traits: traits, work: tasks.work(number))
        if isBeginTold(number) { tell(.started, number, from: .ready, &turn) }
        if traits.contains(.durable), recordBegin(job, &turn) == nil { return nil }
        guard isBeginTold(number) else { return job }
        turn.tell(.run(job))
        return nil
    }

    /// A body that was about to begin, if it still may; otherwise it is over.
    mutating func stillBegins(_ job: TaskJob, _ turn: inout WorkflowTurn) -> TaskJob? {
        if tasks[job.number].attempt.isRunning(job.attempt) { return job }
        bodyReturned(job, isOver: true, &turn)
        return nil
    }

    /// An attempt whose begin was told, but whose body is to run on another thread of the same kind.
    ///
    /// One that was called off meanwhile must not take the place of the next, which may stand in the queue already.
    mutating func handAgain(_ job: TaskJob, _ turn: inout WorkflowTurn) {
        if let job = stillBegins(job, &turn) { handed.add(job.number, job) }
    }

    // MARK: Conditions

    private mutating func runCondition(_ number: Int32, _ attempt: UInt32, _ turn: inout WorkflowTurn) {
        if let fulfilment = terms.fulfilments[number] {
            end(number, attempt, .finished(fulfilment), &turn)
        } else if terms.failingConditions.contains(number) {
            let error = WorkflowError(.conditionNotFulfilled, name(number), "the condition is not fulfilled")
            end(number, attempt, .failed(TaskFailure(error), retryAfter: nil), &turn)
        }
        afterBody(number, tasks.bodyReturned(number, attempt, isOver: false), &turn)
        if tasks[number].waitsOutside { giveBack(number, &turn) }
    }

    /// Fulfils a condition, unless it is fulfilled.
    mutating func fulfill(_ number: Int32, with result: (any Sendable)?, _ turn: inout WorkflowTurn) -> Bool {
        guard terms.fulfilments[number] == nil, !tasks[number].facts.contains(.forgotten) else {
            return false
        }
        terms.fulfilments[number] = .some(result)
        if tasks[number].traits.contains(.durable) { record(.fulfilled(result), number, &turn) }
        count(.fulfilled, number, turn)
        switch tasks[number].state {
        // Pending, it is remembered; one that was put back starts once that is told.
        case .pending, .ready: start(number, &turn)
        case .executing:
            end(number, tasks[number].attempt.number, .finished(result), &turn)
        case .failed, .cancelled: retry([number], &turn)
        case .finished: break
        }
        return true
    }
}
