import SteplineEngine
import SteplineSupport

/// Bodies that return, are told to stop, go on behind their end or are given up.
extension WorkflowMachine {
    /// The call that began a body has returned; with `isOver` that was its end.
    @inline(__always)
    mutating func bodyReturned(_ job: TaskJob, isOver: Bool, _ turn: inout WorkflowTurn) {
        if isOver, job.traits.contains(.durable), isOverBeforeKept(job) { return }
        afterBody(job.number, tasks.bodyReturned(job.number, job.attempt, isOver: isOver), &turn)
    }

    /// Nobody holds an attempt any more that has not ended.
    mutating func letGo(_ number: Int32, _ attempt: UInt32, _ turn: inout WorkflowTurn) {
        let own = tasks[number].attempt
        if own.isRunning(attempt) {
            tasks.insert(.letGo, number)
            count(.letGo, number, turn)
        } else if own.number == attempt, own.hasBody {
            afterBody(number, tasks.giveUpBody(number), &turn)
        }
    }

    /// Something was said of a body: if it is over by that, what waited for it goes on.
    @inline(__always)
    mutating func afterBody(_ number: Int32, _ step: Attempt.Step, _ turn: inout WorkflowTurn) {
        if handed.hasPutOff, !tasks[number].hasBody { handOnPutOff() }
        guard step != .nothing else { return }
        let traits = tasks[number].traits
        turn.withdraw(TaskTimer(number: number, kind: .grace))
        if traits.contains(.hasPools) { giveBack(number, &turn) }
        if terms.hasCleanups { releaseHeld(by: number, &turn) }
        if tasks[number].facts.contains(.forgotten) { free(number, &turn) }
        switch step {
        case .nothing, .over: break
        case .queue: lineUp(number, &turn)
        case .backOff:
            turn.set(
                TaskTimer(number: number, kind: .backOff), after: terms.own[number]?.wait ?? .zero)
        }
    }

    /// One that found as many bodies live as may be has its turn again.
    mutating func handOnPutOff() {
        while tasks.live < limit, let number = handed.nextPutOff() {
            if isQueued(number) { return handed.add(number) }
        }
    }

    /// The outcome of an attempt is decided though its body may go on; it is told so.
    mutating func stopBody(_ number: Int32, _ attempt: UInt32, _ turn: inout WorkflowTurn) {
        if let handlers = terms.stopHandlers.removeValue(forKey: number), handlers.attempt == attempt {
            turn.order(.stop(handlers.all))
        }
        let node = tasks[number]
        guard node.attempt.hasBody else { return }
        if node.traits.contains(.endsByCall) { terms.awaitReport(of: number, attempt) }
        if node.traits.contains(.condition) || node.facts.contains(.letGo) {
            afterBody(number, tasks.giveUpBody(number), &turn)
        } else if grace(of: number) <= .zero {
            abandon(number, &turn)
        } else {
            setGrace(number, &turn)
        }
    }

    /// A body that has told its end itself, and goes on, is waited for no longer than one that was stopped.
    ///
    /// By a timer also where there is no grace: nearly always its call is just about to return.
    func boundLastBody(_ number: Int32, _ turn: inout WorkflowTurn) {
        guard case .stopping = tasks[number].attempt.phase,
            !turn.isSet(TaskTimer(number: number, kind: .grace))
        else { return }
        setGrace(number, &turn)
    }

    private func setGrace(_ number: Int32, _ turn: inout WorkflowTurn) {
        turn.set(TaskTimer(number: number, kind: .grace), after: max(grace(of: number), .zero))
    }

    private func grace(of number: Int32) -> Duration { terms.own[number]?.options.grace ?? options.grace }

    /// A stopped body is waited for no longer.
    mutating func abandon(_ number: Int32, _ turn: inout WorkflowTurn) {
        guard tasks[number].attempt.hasBody else { return }
        count(.abandoned, number, turn)
        afterBody(number, tasks.giveUpBody(number), &turn)
    }
}
