import SteplineEngine

extension ManagerMachine {
    /// Begins asking the reactors about a record's result.
    mutating func beginAsking(_ record: TaskRecord, _ turn: inout ManagerTurn) -> Work {
        if !turn.isSet(.asking) { turn.set(.asking, after: rules.answerTimeout) }
        return .asking(
            record, record.copyForReactors(), attempt: record.attemptNumber, first: record.firstToAsk,
            requeues: record.reaction?.counts ?? [:], round: asking.round, asking.progress)
    }

    /// Records that a reactor reacts to the result.
    mutating func answered(_ record: TaskRecord, _ answer: ReactorAnswer, round: Int) {
        // The answer of a given-up question is dropped.
        if asking.isCurrent(record, in: round) { record.answers.append(answer) }
    }

    /// Handles the answers of all reactors; returns false if the question was given up.
    mutating func asked(_ record: TaskRecord, round: Int, _ turn: inout ManagerTurn) -> Bool {
        guard asking.close(record, in: round) else { return false }
        // Read and cleared before the decision: a requeued record is asked about again.
        let answers = record.answers
        record.answers = []
        record.firstToAsk = 0
        // The task ended while the reactors were asked.
        if record.stage.end != nil {
            turn.releaseAfterUnlock(record)
        } else if answers.isEmpty {
            complete(record, &turn)
        } else {
            react(record, answers, &turn)
        }
        return true
    }

    private mutating func react(
        _ record: TaskRecord, _ answers: [ReactorAnswer], _ turn: inout ManagerTurn
    ) {
        // The join order decides the place among requeued tasks.
        var reaction = Reaction(joinOrder: nextMoment(), counts: record.reaction?.counts ?? [:])
        var delaying: Set<Int> = []
        for answer in answers {
            let configuration = answer.configuration
            // The counts of earlier attempts stay: `maximumRequeues` limits the whole task.
            let requeues = reaction.counts[answer.reactor] ?? 0
            if configuration.requeuesTask, let most = configuration.maximumRequeues, requeues >= most {
                tell(.requeueLimit, of: record, name: rules.reactors[answer.reactor], &turn)
                // A reactor at its limit neither starts a run nor requeues the task.
                continue
            }
            reaction.reintercepts = reaction.reintercepts || configuration.reinterceptsOnRequeue
            if configuration.requeuesTask {
                reaction.requeues = true
                reaction.counts[answer.reactor] = requeues + 1
                reaction.backoff = max(reaction.backoff, answer.wait)
                // A run that ended after the attempt's begin has repaired the cause already: run again without another
                // run.
                if runs.isRepaired(answer.reactor, since: record.attemptMark) { continue }
            }
            let number = joinRun(of: answer.reactor, record, configuration, &turn)
            reaction.runs.insert(number)
            if configuration.delaysCompletion { delaying.insert(number) }
        }
        // A task that isn't requeued waits only for the runs that delay its completion.
        if !reaction.requeues { reaction.runs = delaying }
        record.reaction = reaction
        if reaction.requeues { tell(.requeued, of: record, &turn) }
        // No run to wait for: causes are repaired, reactors are at their limits, or no run delays the completion.
        guard reaction.runs.isEmpty else { return move(record, to: .reacting, &turn) }
        runsAreOver(for: record, &turn)
    }

    private mutating func joinRun(
        of reactor: Int, _ record: TaskRecord, _ configuration: ReactorConfiguration,
        _ turn: inout ManagerTurn
    ) -> Int {
        let name = rules.reactors[reactor]
        // A current run serves this task as well: no second run of a reactor at a time.
        if let number = runs.join(reactor, record) {
            tell(.runJoined, of: record, name: name, &turn)
            return number
        }
        let (number, order) = runs.make(reactor, record, configuration, at: turn.now)
        // Suspend before the run begins: no ready task may slip in between.
        if configuration.suspendsTaskQueue, ready.suspend() { tell(.suspended, name: name, &turn) }
        tell(.runBegan, of: record, name: name, &turn)
        // Without an order, the run waits for the body of the reactor's previous run.
        if let order { turn.order(.beginRun(order)) }
        // The limit includes the wait for the previous body.
        if let timeout = configuration.timeout { turn.set(.run(reactor), after: timeout) }
        return number
    }

    // MARK: The end of a run

    /// Handles the end of a run's body.
    mutating func runEnded(
        _ reactor: Int, attempt: UInt32, _ error: (any Error)?, _ turn: inout ManagerTurn
    ) {
        let (ended, next) = runs.bodyEnded(
            reactor, attempt: attempt, hasFailed: error != nil, at: nextMoment())
        // A run that was given up earlier may end while the grace timer of the last one is still needed.
        if next != nil || !runs.hasBody(reactor) { turn.withdraw(.runGrace(reactor)) }
        if let next { turn.order(.beginRun(next)) }
        // The outcome of the run was decided before, by a timeout.
        guard let ended else { return }
        let name = rules.reactors[reactor]
        close(ended, of: reactor, &turn) { record in
            error.map { record.error(.reactorFailed, actor: name, underlying: $0) }
        }
    }

    mutating func runTimedOut(_ reactor: Int, _ turn: inout ManagerTurn) {
        guard let (ended, stopped) = runs.timedOut(reactor) else { return }
        // Nil if this run still waited for the previous body, whose grace timer is set already.
        if let stopped {
            turn.order(.stop(stopped.runner))
            turn.set(.runGrace(reactor), after: rules.grace)
        }
        let name = rules.reactors[reactor]
        close(ended, of: reactor, &turn) { record in
            var error = record.error(.reactorTimedOut, actor: name)
            error.duration = ended.timeout
            return error
        }
    }

    /// Continues or fails the tasks that waited for a run.
    private mutating func close(
        _ run: ReactorRuns.Run, of reactor: Int, _ turn: inout ManagerTurn,
        failure: (TaskRecord) -> TaskManagerError?
    ) {
        turn.withdraw(.run(reactor))
        // User objects hang on the records: release them after unlock.
        turn.releaseAfterUnlock(run.members)
        turn.releaseAfterUnlock(run.joined)
        tell(.runEnded, name: rules.reactors[reactor], &turn)
        for record in run.joined {
            // A task that was cancelled meanwhile is skipped.
            guard case .reacting = record.stage, let reaction = record.reaction else { continue }
            // Only a requeued task depends on the success of the run.
            if reaction.requeues, let error = failure(record) {
                end(record, .failure(error), &turn)
                continue
            }
            // A record can wait for the runs of several reactors; the last one continues it.
            record.reaction?.runs.remove(run.number)
            if record.reaction?.runs.isEmpty == true { runsAreOver(for: record, &turn) }
        }
        // After the tasks: requeued ones are ready before the line opens again.
        if run.suspends, ready.unsuspend() { tell(.unsuspended, &turn) }
        beginReady(&turn)
        endTellingIfOver(&turn)
    }

    // MARK: Again

    /// Continues a record after the last of its runs.
    private mutating func runsAreOver(for record: TaskRecord, _ turn: inout ManagerTurn) {
        guard let reaction = record.reaction, reaction.requeues else { return complete(record, &turn) }
        // Requeued tasks begin in the order in which they joined.
        record.order = reaction.joinOrder
        if reaction.backoff > .zero {
            move(record, to: .backingOff, &turn)
            turn.set(.delay(record), after: reaction.backoff)
        } else {
            goAgain(record, &turn)
        }
    }

    /// Starts the next attempt of a record, through the interceptors if the reaction asks for that.
    mutating func goAgain(_ record: TaskRecord, _ turn: inout ManagerTurn) {
        record.attemptMark = 0
        if record.reaction?.reintercepts == true, !rules.interceptors.isEmpty {
            askAgain(record, &turn)
        } else {
            enqueue(record, &turn)
        }
    }

    /// Checks whether the current reactor has exceeded the time limit, even if the task has ended.
    mutating func checkReactionAnswer(_ turn: inout ManagerTurn) {
        guard let record = asking.current else { return }
        let rest = asking.progress.since + rules.answerTimeout - turn.now
        guard rest <= .zero else { return turn.set(.asking, after: rest) }
        let position = asking.progress.position
        tell(.stalled, of: record, name: rules.reactors[position], &turn)
        // Count the missing answer as "no": a new runner asks the remaining reactors about this record first.
        if case .asked = record.stage {
            record.firstToAsk = position + 1
            // Before `giveUp`, which clears the current record.
            asking.putBack()
        }
        if let stuck = asking.giveUp() { turn.order(.stop(stuck)) }
    }
}
