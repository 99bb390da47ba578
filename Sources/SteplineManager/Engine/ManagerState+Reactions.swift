import SteplineSupport

/// A reactor's yes, with its configuration as it was then.
struct ReactorAnswer {
    let reactor: Int
    let configuration: ReactorConfiguration
}

extension ManagerState {
    /// A record's turn with the reactors begins; how often each has requeued it.
    mutating func beginAsking(_ record: TaskRecord) -> [Int: Int] {
        record.checkOut(for: .reactors)
        asking.progress.begin(at: now)
        if !asking.hasTimer {
            asking.hasTimer = true
            effects.timers.append((.reactionAnswer, answerTimeout))
        }
        return record.reaction?.counts ?? [:]
    }

    /// All have been asked: these said yes.
    mutating func asked(_ record: TaskRecord, _ answers: [ReactorAnswer], loop: Int) {
        guard asking.close(record, in: loop), record.outcome == nil else { return }
        guard !answers.isEmpty else { return complete(record) }
        lastOrder += 1
        var reaction = Reaction(joinOrder: lastOrder, counts: record.reaction?.counts ?? [:])
        var delaying: Set<Int> = []
        for answer in answers {
            let configuration = answer.configuration
            let requeues = reaction.counts[answer.reactor] ?? 0
            if configuration.requeuesTask, let most = configuration.maximumRequeues, requeues >= most {
                tell(.requeueLimit, record, name: reactorNames[answer.reactor])
                continue
            }
            reaction.reintercepts = reaction.reintercepts || configuration.reinterceptsOnRequeue
            if configuration.requeuesTask {
                reaction.requeues = true
                reaction.counts[answer.reactor] = requeues + 1
                reaction.backoff = max(
                    reaction.backoff, configuration.least ?? .zero,
                    configuration.backoff.delay(beforeRequeue: requeues + 1))
                // What such a run repairs was repaired while this attempt was on its way.
                let isRepaired = record.attemptMark < reactors[answer.reactor].lastSuccess
                if isRepaired, reactors[answer.reactor].run == nil { continue }
            }
            let number = joinRun(of: answer.reactor, record, configuration)
            reaction.runs.insert(number)
            if configuration.delaysCompletion { delaying.insert(number) }
        }
        if !reaction.requeues { reaction.runs = delaying }
        record.reaction = reaction
        if reaction.requeues { tell(.requeued, record) }
        guard reaction.runs.isEmpty else { return move(record, to: .reacting) }
        runsAreOver(for: record)
    }

    private mutating func joinRun(
        of reactor: Int, _ record: TaskRecord, _ configuration: ReactorConfiguration
    ) -> Int {
        if let run = reactors[reactor].run {
            run.run.join(AnyTaskHandle(record))
            reactors[reactor].run?.joined.append(record)
            tell(.runJoined, record, name: reactorNames[reactor])
            return run.number
        }
        lastRun += 1
        let run = ReactorRun(number: lastRun, trigger: AnyTaskHandle(record))
        reactors[reactor].run = .init(
            number: lastRun, run: run, suspends: configuration.suspendsTaskQueue, since: now,
            joined: [record])
        reactors[reactor].timeout = configuration.timeout
        if configuration.suspendsTaskQueue {
            suspensions += 1
            if suspensions == 1 { tell(.suspended, name: reactorNames[reactor]) }
        }
        tell(.runBegan, record, name: reactorNames[reactor])
        if reactors[reactor].oldBody != nil {
            reactors[reactor].isWaitingForBody = true
        } else {
            effects.runs.append(.init(reactor: reactor, run: run))
        }
        if let timeout = configuration.timeout {
            effects.timers.append((.run(reactor: reactor, number: lastRun), max(timeout, .zero)))
        }
        return lastRun
    }

    // MARK: The end of a run

    /// A run's body has returned or thrown.
    mutating func runEnded(reactor: Int, number: Int, _ error: (any Error)?) {
        guard reactors[reactor].run?.number == number else {
            return oldBodyEnded(reactor: reactor, number: number)
        }
        guard let error else { return closeRun(of: reactor, failingWith: nil) }
        closeRun(of: reactor) { [reactorNames] record in
            var failure = TaskManagerError(
                .reactorFailed, of: record, attempt: record.attempt, actor: reactorNames[reactor])
            failure.underlying = error
            return failure
        }
    }

    mutating func runTimedOut(reactor: Int, number: Int) {
        guard reactors[reactor].run?.number == number else { return }
        let duration = reactors[reactor].timeout
        if !reactors[reactor].isWaitingForBody {
            reactors[reactor].oldBody = number
            if let body = reactors[reactor].body { effects.stoppedBodies.append(body) }
            effects.timers.append((.abandonRun(reactor: reactor, number: number), abandonAfter))
        }
        reactors[reactor].isWaitingForBody = false
        closeRun(of: reactor) { [reactorNames] record in
            var failure = TaskManagerError(
                .reactorTimedOut, of: record, attempt: record.attempt, actor: reactorNames[reactor])
            failure.duration = duration
            return failure
        }
    }

    mutating func oldBodyEnded(reactor: Int, number: Int) {
        guard reactors[reactor].oldBody == number else { return }
        reactors[reactor].oldBody = nil
        guard reactors[reactor].isWaitingForBody, let run = reactors[reactor].run else { return }
        reactors[reactor].isWaitingForBody = false
        effects.runs.append(.init(reactor: reactor, run: run.run))
    }

    private mutating func closeRun(of reactor: Int, failingWith failure: ((TaskRecord) -> TaskManagerError)?)
    {
        guard let run = reactors[reactor].run else { return }
        reactors[reactor].run = nil
        reactors[reactor].body = nil
        if let timer = reactors[reactor].timer { effects.endedTimers.append(timer) }
        reactors[reactor].timer = nil
        if failure == nil {
            lastOrder += 1
            reactors[reactor].lastSuccess = lastOrder
        }
        tell(.runEnded, name: reactorNames[reactor])
        for record in run.joined {
            guard case .reacting = record.phase, let reaction = record.reaction else { continue }
            if let failure, reaction.requeues {
                let error = failure(record)
                end(record, error.code == .reactorTimedOut ? .timedOut : .failed, error)
                continue
            }
            record.reaction?.runs.remove(run.number)
            if record.reaction?.runs.isEmpty == true { runsAreOver(for: record) }
        }
        if run.suspends {
            suspensions -= 1
            if suspensions == 0 { tell(.unsuspended) }
        }
        beginReady()
    }

    // MARK: Again

    /// Nothing that the record triggered is under way any more.
    private mutating func runsAreOver(for record: TaskRecord) {
        guard let reaction = record.reaction, reaction.requeues else { return complete(record) }
        record.order = reaction.joinOrder
        if reaction.backoff > .zero {
            move(record, to: .backingOff)
            arm(record, after: reaction.backoff)
        } else {
            goAgain(record)
        }
    }

    mutating func goAgain(_ record: TaskRecord) {
        lastOrder += 1
        record.attemptMark = lastOrder
        guard record.reaction?.reintercepts == true, !interceptorNames.isEmpty else { return enqueue(record) }
        askAgain(record)
    }

    /// The clock looks whether the reactor being asked has taken too long.
    mutating func checkReactionAnswer() {
        asking.hasTimer = false
        guard let record = asking.current, case .asked = record.phase else { return }
        let rest = asking.progress.since + answerTimeout - now
        guard rest <= .zero else {
            asking.hasTimer = true
            effects.timers.append((.reactionAnswer, rest))
            return
        }
        let position = asking.progress.position
        tell(.stalled, record, name: reactorNames[position])
        record.firstToAsk = position + 1
        asking.putBack()
        if let stuck = asking.giveUp() { effects.stoppedRunners.append(stuck) }
    }
}
