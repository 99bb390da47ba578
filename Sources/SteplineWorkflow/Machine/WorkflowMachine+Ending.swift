import SteplineEngine
import SteplineSupport

/// From the end of a body to what follows from it.
///
/// An attempt ends once: by its body, by a time-out, or by a message to its task. Its body may go on after that; it
/// counts as live until it has both returned and reported its end, or its grace is over. The next attempt waits for the
/// last body.
///
/// | Method | Event | Sent by |
/// | --- | --- | --- |
/// | ``end(_:_:_:by:isOnWorker:_:)`` | an end is reported, or decided from outside | any thread |
/// | ``bodyReturned(_:isOver:_:)`` | the call of the body has returned | the thread of the body |
/// | ``bodyReported(_:_:_:)`` | a report came after the outcome | any thread |
/// | ``release(_:_:_:)`` | the object of the attempt was freed | the thread that frees it |
/// | ``abandon(_:_:)`` | the grace is over | the clock |
///
/// Each of them ends in ``afterBody(_:_:_:)``, which acts once the body is over. It gives places back, releases the
/// tasks that waited for this body, and enqueues the next attempt or starts its back-off.
extension WorkflowMachine {
    // MARK: Ends

    /// Ends an attempt as its body has ended on the thread that began it.
    @inline(__always)
    mutating func bodyEnded(_ job: TaskJob, _ how: BodyEnd, _ turn: inout WorkflowTurn) {
        switch how {
        case .over(let ending):
            // The end first: a return completes only an attempt whose outcome is decided.
            end(job.number, job.attempt, ending, isOnWorker: true, &turn)
            bodyReturned(job, isOver: true, &turn)
        case .returned: bodyReturned(job, isOver: false, &turn)
        case .continues: break
        }
    }

    /// Finishes an attempt whose closure has returned a result; the task must not be durable.
    ///
    /// Most tasks have no traits. For these one change of the table replaces the end of the attempt, the end of the
    /// task and the return of the body.
    ///
    /// - Parameter value: The result; afterwards the old value of the task, which the caller releases after unlock.
    @inline(__always)
    mutating func closureFinished(
        _ number: Int32, _ attempt: UInt32, _ value: inout (any Sendable)?, _ turn: inout WorkflowTurn
    ) {
        // The slow path also releases stop handlers, which a closure may add through the object of its task.
        guard !rare.hasCleanups, !external.hasDeferred,
            rare.stopHandlers.isEmpty || rare.stopHandlers[number] == nil,
            tasks.finishPlain(number, attempt, &value, at: turn.now)
        else {
            end(number, attempt, .finished(value), isOnWorker: true, &turn)
            return afterBody(number, tasks.bodyReturned(number, attempt, isOver: true), &turn)
        }
        report(.finished, number, from: .executing, &turn)
        follow(number, starts: true, &turn)
    }

    /// Ends an attempt; returns false if it isn't the one Executing.
    @inline(__always)
    @discardableResult
    mutating func end(
        _ number: Int32, _ attempt: UInt32, _ end: AttemptResult, by source: Attempt.Source = .body,
        isOnWorker: Bool = false, _ turn: inout WorkflowTurn
    ) -> Bool {
        // Before the journal, so a planned fault is recorded as the end.
        let end = source == .body ? endWithFault(number, attempt, end) : end
        if tasks[number].traits.contains(.durable),
            commit(number, attempt, end, by: source, isOnWorker: isOnWorker, &turn)
        {
            return true
        }
        return endAtOnce(number, attempt, end, by: source, &turn)
    }

    /// Returns the end of an attempt whose body has ended like this; another one if a fault is planned for it.
    @inline(__always)
    private mutating func endWithFault(
        _ number: Int32, _ attempt: UInt32, _ end: AttemptResult
    ) -> AttemptResult {
        guard !rare.wrongEnds.isEmpty, case .finished = end, let wrong = rare.wrongEnds[number],
            wrong.attempt == attempt
        else { return end }
        rare.wrongEnds[number] = nil
        return wrong.end
    }

    /// Ends an attempt whose end is recorded, or doesn't have to be.
    @discardableResult
    mutating func endAtOnce(
        _ number: Int32, _ attempt: UInt32, _ end: AttemptResult, by source: Attempt.Source,
        _ turn: inout WorkflowTurn
    ) -> Bool {
        guard let step = tasks.end(number, attempt, end.outcome, by: source) else {
            if source == .body {
                // The attempt was stopped, has ended, or is followed by another. Its end
                // only says that its body is over.
                logEvent(.endIgnored, number, attempt: attempt, turn)
                bodyReported(number, attempt, &turn)
            }
            return false
        }
        if tasks[number].traits.contains(.hasRareState) { withdrawTimers(number, &turn) }
        switch end {
        case .finished(let value):
            guard hasElements, let grown = value as? GrownResult else {
                finish(number, value, &turn)
                break
            }
            // Before the end of the finder: a list with elements to run isn't complete.
            grown.additions?.add(to: &self, &turn)
            finish(number, grown.output, &turn)
        case .failed(let failure, retryAfter: nil): fail(number, failure, from: .executing, &turn)
        case .failed(let failure, retryAfter: let wait?): retryLater(number, failure, after: wait, &turn)
        }
        if source == .outside {
            cancelInside(number, .timeIsOver, &turn)
            stopBody(number, attempt, &turn)
        } else if !rare.stopHandlers.isEmpty, let handlers = rare.stopHandlers.removeValue(forKey: number) {
            // Calls are user closures, so they are released after unlock.
            if !handlers.calls.isEmpty { turn.releaseAfterUnlock(handlers) }
        }
        afterBody(number, step, &turn)
        // The body has failed, but hasn't returned. The next attempt waits for the return no longer than the grace.
        if case .failed(_, retryAfter: _?) = end, step == .nothing { boundLastBody(number, &turn) }
        return true
    }

    /// An end was reported without its attempt, while no attempt is Executing.
    mutating func endedUnnamed(_ number: Int32, _ turn: inout WorkflowTurn) {
        logEvent(.endIgnored, number, turn)
        guard let attempts = rare.unreported[number], let oldest = attempts.min() else { return }
        // Of several attempts that may have reported it, none is known to be over.
        if attempts.count == 1 {
            bodyReported(number, oldest, &turn)
        } else {
            rare.hasReported(number, oldest)
        }
    }

    /// The body of an attempt whose outcome was decided without it has reported its end.
    mutating func bodyReported(_ number: Int32, _ attempt: UInt32, _ turn: inout WorkflowTurn) {
        rare.hasReported(number, attempt)
        afterBody(number, tasks.bodyReported(number, attempt), &turn)
    }

    // MARK: Bodies

    /// The call that began a body has returned; with `isOver` that was its end.
    @inline(__always)
    mutating func bodyReturned(_ job: TaskJob, isOver: Bool, _ turn: inout WorkflowTurn) {
        // The end is on its way to the journal, and the attempt is Executing until the answer. The answer
        // takes note of the return as well.
        if isOver, job.traits.contains(.durable), isOverBeforeKept(job) { return }
        afterBody(job.number, tasks.bodyReturned(job.number, job.attempt, isOver: isOver), &turn)
    }

    /// The object of an attempt was freed, so the attempt can't be ended by it any more.
    mutating func release(_ number: Int32, _ attempt: UInt32, _ turn: inout WorkflowTurn) {
        let own = tasks[number].attempt
        if own.isRunning(attempt) {
            tasks.insert(.released, number)
            logEvent(.released, number, turn)
        } else if own.number == attempt, own.hasBody {
            // The attempt was stopped, and no object is left that could report the end of its body.
            afterBody(number, tasks.giveUpBody(number), &turn)
        }
    }

    /// Does what waited for a body, if the body is over by this step.
    @inline(__always)
    mutating func afterBody(_ number: Int32, _ step: Attempt.Step, _ turn: inout WorkflowTurn) {
        // Before the guard: a condition or subworkflow task leaves the limit when its
        // call returns, long before its end.
        if external.hasDeferred, !tasks[number].hasBody { releaseDeferred() }
        guard step != .nothing else { return }
        let traits = tasks[number].traits
        turn.withdraw(TaskTimer(number: number, kind: .grace))
        // Places belong to the body, not to the outcome: they are given back here, however the attempt ended.
        if traits.contains(.hasPools) { giveBack(number, &turn) }
        if rare.hasCleanups { releaseHeld(by: number, &turn) }
        // The task was hidden while its body was live. Its values are freed with the body.
        if tasks[number].facts.contains(.forgotten) { free(number, &turn) }
        switch step {
        case .nothing, .over: break
        case .queue: enqueue(number, &turn)
        case .backOff:
            // The back-off counts from the end of the old body.
            turn.set(
                TaskTimer(number: number, kind: .backOff), after: rare[live: number].wait)
        }
    }

    /// Hands the next deferred task to its queue, if the limit allows another body.
    mutating func releaseDeferred() {
        while tasks.live < limit, let number = external.nextDeferred() {
            // One at a time: `live` grows only when the queue begins the task, so the loop
            // condition can't count a second one.
            if isQueued(number) { return external.add(number) }
        }
    }

    /// Adds what is called or cancelled when an attempt is stopped; returns false if the attempt isn't the one
    /// Executing.
    mutating func addStopHandler(
        _ number: Int32, _ attempt: UInt32, running: Task<Void, Never>? = nil,
        call: (@Sendable () -> Void)? = nil
    ) -> Bool {
        // Decided under the lock: either the handler is stored before the stop, or the
        // caller finds the attempt stopped.
        guard tasks[number].attempt.isRunning(attempt) else { return false }
        var handlers = rare.stopHandlers[number] ?? RareTaskState.StopHandlers(attempt: attempt)
        if let running { handlers.running = running }
        if let call { handlers.calls.append(call) }
        rare.stopHandlers[number] = handlers
        return true
    }

    /// Stops the body of an attempt whose outcome is decided: calls its stop handlers, and bounds the wait for its end.
    mutating func stopBody(_ number: Int32, _ attempt: UInt32, _ turn: inout WorkflowTurn) {
        if let handlers = rare.stopHandlers.removeValue(forKey: number), handlers.attempt == attempt {
            turn.order(.stop(handlers.all))
        }
        let node = tasks[number]
        guard node.attempt.hasBody else { return }
        // Until this attempt reports, an end that names no attempt can't be attributed to a later one.
        if node.traits.contains(.endsByCall) { rare.awaitReport(of: number, attempt) }
        // Nothing will report the end of a condition's wait, or of an attempt whose object was freed.
        if node.traits.contains(.condition) || node.facts.contains(.released) {
            afterBody(number, tasks.giveUpBody(number), &turn)
        } else if grace(of: number) <= .zero {
            abandon(number, &turn)
        } else {
            setGrace(number, &turn)
        }
    }

    /// Bounds the wait for a body that has reported its end, but has not returned, like that for a stopped one.
    ///
    /// Sets a timer also where there is no grace: nearly always the call is just about to return.
    func boundLastBody(_ number: Int32, _ turn: inout WorkflowTurn) {
        guard case .stopping = tasks[number].attempt.phase,
            !turn.isSet(TaskTimer(number: number, kind: .grace))
        else { return }
        setGrace(number, &turn)
    }

    private func setGrace(_ number: Int32, _ turn: inout WorkflowTurn) {
        turn.set(TaskTimer(number: number, kind: .grace), after: max(grace(of: number), .zero))
    }

    private func grace(of number: Int32) -> Duration { rare.options[number]?.grace ?? options.grace }

    /// Stops waiting for a stopped body.
    mutating func abandon(_ number: Int32, _ turn: inout WorkflowTurn) {
        guard tasks[number].attempt.hasBody else { return }
        logEvent(.abandoned, number, turn)
        afterBody(number, tasks.giveUpBody(number), &turn)
    }
}

extension CancellationReason {
    /// The reason for the workflow inside a task.
    static let timeIsOver = CancellationReason(.surroundings, "the time of the task around it is over")
}
