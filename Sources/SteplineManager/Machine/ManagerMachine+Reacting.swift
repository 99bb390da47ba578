import SteplineEngine

extension ManagerMachine {
    /// A record's turn with the reactors begins.
    mutating func beginAsking(_ record: TaskRecord, _ turn: inout ManagerTurn) -> Work {
        record.checkOut(for: .reactors)
        if !turn.isSet(.asking) { turn.set(.asking, after: rules.answerTimeout) }
        return .asking(
            record, attempt: record.attemptNumber, first: record.firstToAsk,
            requeues: record.reaction?.counts ?? [:], round: asking.round)
    }

    /// A reactor has said yes.
    mutating func answered(_ record: TaskRecord, _ answer: ReactorAnswer, round: Int) {
        if asking.isCurrent(record, in: round) { record.answers.append(answer) }
    }

    /// All reactors have been asked; false if the question was given up.
    mutating func asked(_ record: TaskRecord, round: Int, _ turn: inout ManagerTurn) -> Bool {
        guard asking.close(record, in: round) else {
            // Others may be asking about it by now.
            if asking.current !== record { letGo(record.takeBack(from: .reactors), &turn) }
            return false
        }
        let answers = record.answers
        record.answers = []
        record.firstToAsk = 0
        letGo(record.takeBack(from: .reactors), &turn)
        if record.stage.end != nil {
            turn.letGo(of: record)
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
        var reaction = Reaction(joinOrder: nextMoment(), counts: record.reaction?.counts ?? [:])
        var delaying: Set<Int> = []
        for answer in answers {
            let configuration = answer.configuration
            let requeues = reaction.counts[answer.reactor] ?? 0
            if configuration.requeuesTask, let most = configuration.maximumRequeues, requeues >= most {
                tell(.requeueLimit, of: record, name: rules.reactors[answer.reactor], &turn)
                continue
            }
            reaction.reintercepts = reaction.reintercepts || configuration.reinterceptsOnRequeue
            if configuration.requeuesTask {
                reaction.requeues = true
                reaction.counts[answer.reactor] = requeues + 1
                reaction.backoff = max(reaction.backoff, answer.wait)
                // What such a run repairs was repaired while this attempt was on its way.
                if runs.isRepaired(answer.reactor, since: record.attemptMark) { continue }
            }
            let number = joinRun(of: answer.reactor, record, configuration, &turn)
            reaction.runs.insert(number)
            if configuration.delaysCompletion { delaying.insert(number) }
        }
        if !reaction.requeues { reaction.runs = delaying }
        record.reaction = reaction
        if reaction.requeues { tell(.requeued, of: record, &turn) }
        guard reaction.runs.isEmpty else { return move(record, to: .reacting, &turn) }
        runsAreOver(for: record, &turn)
    }

    private mutating func joinRun(
        of reactor: Int, _ record: TaskRecord, _ configuration: ReactorConfiguration,
        _ turn: inout ManagerTurn
    ) -> Int {
        let name = rules.reactors[reactor]
        if let number = runs.join(reactor, record) {
            tell(.runJoined, of: record, name: name, &turn)
            return number
        }
        let (number, order) = runs.make(reactor, record, configuration, at: turn.now)
        if configuration.suspendsTaskQueue, ready.suspend() { tell(.suspended, name: name, &turn) }
        tell(.runBegan, of: record, name: name, &turn)
        if let order { turn.order(.beginRun(order)) }
        if let timeout = configuration.timeout { turn.set(.run(reactor), after: timeout) }
        return number
    }

    // MARK: The end of a run

    /// A run's body has returned or thrown.
    mutating func runEnded(
        _ reactor: Int, attempt: UInt32, _ error: (any Error)?, _ turn: inout ManagerTurn
    ) {
        let (ended, next) = runs.bodyEnded(
            reactor, attempt: attempt, hasFailed: error != nil, at: nextMoment())
        // One that was given up before may end while the last is still waited for.
        if next != nil || !runs.hasBody(reactor) { turn.withdraw(.runGrace(reactor)) }
        if let next { turn.order(.beginRun(next)) }
        guard let ended else { return }
        let name = rules.reactors[reactor]
        close(ended, of: reactor, &turn) { record in
            error.map { record.error(.reactorFailed, actor: name, underlying: $0) }
        }
    }

    mutating func runTimedOut(_ reactor: Int, _ turn: inout ManagerTurn) {
        guard let (ended, stopped) = runs.timedOut(reactor) else { return }
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

    /// Those who waited for a run go on, or fail with it.
    private mutating func close(
        _ run: ReactorRuns.Run, of reactor: Int, _ turn: inout ManagerTurn,
        failure: (TaskRecord) -> TaskManagerError?
    ) {
        turn.withdraw(.run(reactor))
        turn.letGo(of: run.members)
        turn.letGo(of: run.joined)
        tell(.runEnded, name: rules.reactors[reactor], &turn)
        for record in run.joined {
            guard case .reacting = record.stage, let reaction = record.reaction else { continue }
            if reaction.requeues, let error = failure(record) {
                end(record, .failure(error), &turn)
                continue
            }
            record.reaction?.runs.remove(run.number)
            if record.reaction?.runs.isEmpty == true { runsAreOver(for: record, &turn) }
        }
        if run.suspends, ready.unsuspend() { tell(.unsuspended, &turn) }
        beginReady(&turn)
        endTellingIfOver(&turn)
    }

    // MARK: Again

    /// Nothing that the record triggered is under way any more.
    private mutating func runsAreOver(for record: TaskRecord, _ turn: inout ManagerTurn) {
        guard let reaction = record.reaction, reaction.requeues else { return complete(record, &turn) }
        record.order = reaction.joinOrder
        if reaction.backoff > .zero {
            move(record, to: .backingOff, &turn)
            turn.set(.delay(record), after: reaction.backoff)
        } else {
            goAgain(record, &turn)
        }
    }

    mutating func goAgain(_ record: TaskRecord, _ turn: inout ManagerTurn) {
        record.attemptMark = nextMoment()
        if record.reaction?.reintercepts == true, !rules.interceptors.isEmpty {
            askAgain(record, &turn)
        } else {
            enqueue(record, &turn)
        }
    }

    /// The clock looks whether the reactor being asked has taken too long, also if the task has ended meanwhile.
    mutating func checkReactionAnswer(_ turn: inout ManagerTurn) {
        guard let record = asking.current else { return }
        let rest = asking.progress.since + rules.answerTimeout - turn.now
        guard rest <= .zero else { return turn.set(.asking, after: rest) }
        let position = asking.progress.position
        tell(.stalled, of: record, name: rules.reactors[position], &turn)
        if case .asked = record.stage {
            record.firstToAsk = position + 1
            asking.putBack()
        }
        if let stuck = asking.giveUp() { turn.order(.stop(stuck)) }
    }
}
