import SteplineRuns

/// A round of a worker's thread: it commits ends, sends its heartbeat, and claims steps for its free slots.
extension Fleet {
    private enum Stage { case ends, beat, claim, ownerless }

    mutating func beginRound(of worker: Int) {
        workers[worker].isAsleep = false
        workers[worker].taken = workers[worker].inbox
        workers[worker].inbox = []
        workers[worker].wasNotified = workers[worker].hasNews
        workers[worker].hasNews = false
        workers[worker].isDue = now >= workers[worker].nextLook
        if workers[worker].isDue {
            workers[worker].nextLook = now + plan.lease / 5
            add(.look, of: worker, at: workers[worker].nextLook)
        }
        for ended in workers[worker].taken { workers[worker].bodies.removeAll { $0.claim == ended.claim } }
        if workers[worker].bodies.isEmpty { workers[worker].isAlone = false }
        go(on: worker, from: .ends)
    }

    private mutating func go(on worker: Int, from first: Stage) {
        let (isDue, wasNotified, hasTaken) = (
            workers[worker].isDue, workers[worker].wasNotified, !workers[worker].taken.isEmpty
        )
        var stage = first
        if stage == .ends {
            if hasTaken { return send(.end(workers[worker].taken), by: worker) }
            stage = .beat
        }
        if stage == .beat {
            if isDue || wasNotified { return send(.beat, by: worker) }
            stage = .claim
        }
        if stage == .claim, isDue || wasNotified || hasTaken {
            if let call = workers[worker].claim(of: plan.slots) { return send(call, by: worker) }
        }
        if first != .ownerless, isDue { return send(.lookForOwnerless, by: worker) }
        if !workers[worker].inbox.isEmpty || workers[worker].hasNews || now >= workers[worker].nextLook {
            return beginRound(of: worker)
        }
        workers[worker].isAsleep = true
    }

    // MARK: Answers

    mutating func hear(_ answer: Answer, to call: Call, worker: Int) {
        switch (call, answer) {
        case (.join, .membership(let membership)):
            let isFirst = workers[worker].membership == 0
            workers[worker].membership = membership
            listenAnew(worker)
            if isFirst { beginRound(of: worker) } else { go(on: worker, from: .claim) }
        case (.end, .runsToTell(let runs)):
            if runs.isEmpty { go(on: worker, from: .beat) } else { send(.tellOwners(runs), by: worker) }
        case (.tellOwners, _): go(on: worker, from: .beat)
        case (.beat, .beat(let beat)): hear(beat, worker)
        case (.handBack(let claims), _): send(.wakeWorkers(claims.count, after: .handBack), by: worker)
        case (.wakeWorkers, _): go(on: worker, from: .claim)
        case (.claim(_, let risky), .claims(let claims)): hear(claims, risky: risky, worker)
        case (.becomeIdle, .isNew(true)): go(on: worker, from: .claim)
        case (.read(_, _, let claims), _):
            for claim in claims { begin(claim, on: worker) }
            go(on: worker, from: .claim)
        default:
            // Nothing to be had, or a look that is over.
            if case .becomeIdle = call, workers[worker].isDue { return send(.lookForOwnerless, by: worker) }
            go(on: worker, from: .ownerless)
        }
    }

    private mutating func hear(_ beat: WorkerBeat?, _ worker: Int) {
        guard let beat else {
            // Its lease has expired: other workers have its steps by now.
            workers[worker].bodies = []
            workers[worker].isAlone = false
            return send(.join, by: worker)
        }
        workers[worker].areRiskyWaiting = beat.areRiskyWaiting
        let known = Set(workers[worker].bodies.map(\.claim))
        workers[worker].bodies.removeAll { !beat.held.contains($0.claim) }
        // Of what was claimed when the answer was lost it knows nothing.
        let unknown = beat.held.subtracting(known).sorted()
        if unknown.isEmpty { go(on: worker, from: .claim) } else { send(.handBack(unknown), by: worker) }
    }

    private mutating func hear(_ claims: [ClaimedStep], risky: Bool, _ worker: Int) {
        if risky {
            workers[worker].isAlone = !claims.isEmpty
            workers[worker].areRiskyWaiting = !claims.isEmpty
            if claims.isEmpty {
                return send(.claim(plan.slots - workers[worker].bodies.count, risky: false), by: worker)
            }
        }
        if claims.isEmpty { return send(.becomeIdle, by: worker) }
        var runs = 0
        for claim in claims where !workers[worker].built.contains(claim.runNumber) {
            runs += 1
            if workers[worker].built.count >= SimulatedWorker.mostBuilt {
                let used = Set(workers[worker].bodies.map { progress.run(of: $0.step) })
                workers[worker].built.removeAll { !used.contains($0) }
            }
            workers[worker].built.append(claim.runNumber)
        }
        let results = claims.count { progress.place(of: Int($0.offer.token)) > 0 }
        send(.read(runs: runs, results: results, of: claims), by: worker)
    }

    // MARK: Bodies

    private mutating func begin(_ claim: ClaimedStep, on worker: Int) {
        let step = Int(claim.offer.token)
        if let wait = progress.begin(step, at: now) {
            // Before that the start of the workers would be measured.
            if now > FleetPlan.settled { tally.note(wait: wait) }
        } else {
            tally.lastRepeated = now
        }
        workers[worker].lastBody &+= 1
        let number = workers[worker].lastBody
        workers[worker].bodies.append(.init(claim: claim.id, step: step, number: number))
        add(.bodyEnd, of: worker, number: number, claim: claim.id, at: now + dice.roll(FleetPlan.body))
    }

    /// A body is over, unless it was asked to stop before.
    mutating func end(bodyOf claim: Int, number: UInt32, of worker: Int) {
        guard let body = workers[worker].bodies.first(where: { $0.claim == claim && $0.number == number })
        else {
            return
        }
        workers[worker].inbox.append(EndedBody(claim: claim, step: body.step))
        if workers[worker].isAsleep { beginRound(of: worker) }
    }
}
