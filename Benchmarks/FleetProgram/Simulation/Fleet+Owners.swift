import RunsTestSupport
import SteplineRuns
import SteplineRunsTesting

/// The owner of a run: it reads ends, and offers all steps that have become ready together.
extension Fleet {
    mutating func begin(owner run: Int) {
        let actor = plan.workers + run
        listenAnew(actor)
        owners[run].isTalking = true
        send(.open(progress.committed(of: run)), by: actor)
        add(.tick, of: actor, at: now + SimulatedOwner.pause)
        add(.renew, of: actor, at: now + plan.lease / 3)
    }

    /// Another process goes on with the run: it reads what is kept of it, and asks anew.
    mutating func takeOver(_ run: Int) {
        let actor = plan.workers + run
        let wasGone = callers[actor].isGone
        callers[actor].isGone = false
        disconnect(actor)
        owners[run].waiting = owners[run].offering + owners[run].waiting
        owners[run].offering = []
        owners[run].acknowledged = []
        owners[run].leaseEnd = now + plan.lease
        owners[run].hasNews = true
        owners[run].isTalking = true
        // The clocks of one that is gone have stopped; those of one that has only been too late go on.
        if wasGone { return begin(owner: run) }
        listenAnew(actor)
        send(.open(progress.committed(of: run)), by: actor)
    }

    mutating func tick(owner run: Int) {
        guard !owners[run].isOver else { return }
        owners[run].isDue = true
        owners[run].hasNews = true
        add(.tick, of: plan.workers + run, at: now + SimulatedOwner.pause)
        talk(owner: run)
    }

    mutating func renew(owner run: Int) {
        let actor = plan.workers + run
        guard !owners[run].isOver else { return }
        add(.renew, of: actor, at: now + plan.lease / 3)
        let server = callers[actor].server
        guard servers[server].isUp else { return }
        _ = servers[server].serve(ServerCosts.renew, .beats, at: now)
        owners[run].leaseEnd = now + plan.lease
        tally.rows += 1
    }

    mutating func talk(owner run: Int) {
        guard !owners[run].isTalking, !owners[run].isOver else { return }
        owners[run].isTalking = true
        next(run)
    }

    /// A round: sweeps if it is time to, hears of ends if there may be some, and offers what was ready when it began.
    private mutating func next(_ run: Int) {
        let actor = plan.workers + run
        owners[run].looks = owners[run].hasNews || !owners[run].acknowledged.isEmpty
        let sweeps = owners[run].isDue
        (owners[run].hasNews, owners[run].isDue) = (false, false)
        owners[run].offering = Array(owners[run].waiting.prefix(SimulatedOwner.most))
        owners[run].waiting.removeFirst(owners[run].offering.count)
        if sweeps { return send(.sweep, by: actor) }
        look(run)
    }

    private mutating func look(_ run: Int) {
        guard owners[run].looks else { return offer(run) }
        let acknowledged = owners[run].acknowledged
        owners[run].acknowledged = []
        send(.ends(acknowledged), by: plan.workers + run)
    }

    private mutating func offer(_ run: Int) {
        if !owners[run].offering.isEmpty { return send(.offer(owners[run].offering), by: plan.workers + run) }
        proceed(run)
    }

    private mutating func proceed(_ run: Int) {
        let recordsEvents = owners[run].acknowledged.isEmpty
        if owners[run].unfinished == 0, recordsEvents { return close(run) }
        if owners[run].hasNews || !recordsEvents || !owners[run].waiting.isEmpty { return next(run) }
        owners[run].isTalking = false
    }

    private mutating func close(_ run: Int) {
        let actor = plan.workers + run
        let server = callers[actor].server
        servers[server].board.forget(owners[run].id)
        owners[run].isOver = true
        callers[actor].isGone = true
        disconnect(actor)
        stopListening(actor)
        unfinishedRuns -= 1
    }

    // MARK: Answers

    mutating func hear(_ answer: Answer, to call: Call, owner run: Int) {
        switch (call, answer) {
        case (.sweep, .found(true)): send(.wakeWorkers(1000, after: .sweep), by: plan.workers + run)
        case (.sweep, _): look(run)
        case (.ends, .ends(let ends)):
            take(ends, run)
            offer(run)
        case (.offer(let chains), _):
            owners[run].offering = []
            send(.wakeWorkers(chains.count, after: .offers), by: plan.workers + run)
        case (.wakeWorkers(_, .sweep), _): look(run)
        default: proceed(run)
        }
    }

    private mutating func take(_ ends: [StepEnd], _ run: Int) {
        owners[run].looks = false
        let first = progress.chains(of: run).lowerBound
        for end in ends {
            owners[run].acknowledged.append(AcknowledgedEnd(id: end.id, attempt: end.attempt))
            guard let step = Int(end.step) else { continue }
            let chain = progress.chain(of: step) - first
            // An end that was reported before is only acknowledged again.
            guard owners[run].next[chain] == Int32(progress.place(of: step)) else { continue }
            let left = progress.length(of: first + chain) - progress.place(of: step)
            guard case .finished = end.outcome else {
                tally.failedSteps += 1
                owners[run].unfinished -= left
                owners[run].next[chain] = .max
                continue
            }
            owners[run].unfinished -= 1
            owners[run].next[chain] = left == 1 ? .max : owners[run].next[chain] + 1
            if left > 1 { owners[run].waiting.append(Int32(chain)) }
        }
    }
}
