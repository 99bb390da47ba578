import Foundation
import RunsTestSupport
import SteplineRuns
import SteplineRunsTesting

/// The statements at the server: the store's rules, and the counts of them.
extension Fleet {
    mutating func carryOut(_ call: Call, of actor: Int) -> Answer {
        let server = callers[actor].server
        switch call {
        case .join: return .membership(join(actor, server))
        case .end(let ended): return .runsToTell(end(ended, of: actor, server))
        case .tellOwners(let runs): tell(runs.map { plan.workers + $0 }, by: server)
        case .beat: return .beat(beat(of: actor, server))
        case .handBack(let claims):
            for claim in claims where servers[server].board.holds(claim, workers[actor].membership) {
                servers[server].board.handBack(claim, by: workers[actor].membership)
                workers[actor].held -= 1
                servers[server].waiting += 1
                tally.rows += 1
            }
        case .claim(let count, let risky):
            let claims = servers[server].board.claim(
                count, risky: risky, by: workers[actor].membership, at: now,
                began: Date(timeIntervalSinceReferenceDate: now))
            workers[actor].held += claims.count
            servers[server].waiting -= claims.count
            tally.rows += claims.count
            return .claims(claims)
        case .becomeIdle:
            let isNew = servers[server].becomeIdle(Int32(actor))
            tally.rows += isNew ? 1 : 0
            return .isNew(isNew)
        case .read: break
        case .lookForOwnerless: takeOverOwnerless(on: server)
        case .open: owners[actor - plan.workers].leaseEnd = now + plan.lease
        case .sweep: return .found(sweep(server))
        case .ends(let acknowledged):
            return .ends(ends(of: actor - plan.workers, server, acknowledging: acknowledged))
        case .offer(let chains): offer(chains, of: actor - plan.workers, server)
        case .wakeWorkers(let count, _): wakeWorkers(count, server)
        }
        return .nothing
    }

    // MARK: For workers

    private mutating func join(_ worker: Int, _ server: Int) -> Int {
        tally.rows += 1
        workers[worker].leaseEnd = now + plan.lease
        workers[worker].held = 0
        servers[server].isIdle.remove(Int32(worker))
        if servers[server].nextLeaseEnd == 0 { servers[server].nextLeaseEnd = now + plan.lease }
        return servers[server].board.join(
            WorkerProfile(workflow: "fleet", host: "n", process: worker, slots: plan.slots), at: now)
    }

    private mutating func end(_ ended: [EndedBody], of worker: Int, _ server: Int) -> [Int] {
        var runs: [Int] = []
        for body in ended {
            guard servers[server].board.end(body.claim, .finished, by: workers[worker].membership) else {
                tally.refusedEnds += 1
                continue
            }
            workers[worker].held -= 1
            progress.commit(body.step, at: now)
            // The step's row, and the offer's.
            tally.rows += 2
            let run = progress.run(of: body.step)
            owners[run].ends += 1
            if !runs.contains(run) { runs.append(run) }
        }
        return runs
    }

    private mutating func beat(of worker: Int, _ server: Int) -> WorkerBeat? {
        guard let beat = servers[server].board.beat(workers[worker].membership, until: now + plan.lease)
        else {
            return nil
        }
        workers[worker].leaseEnd = now + plan.lease
        tally.rows += 1
        return beat
    }

    private mutating func wakeWorkers(_ count: Int, _ server: Int) {
        var woken: [Int] = []
        while woken.count < count, let worker = servers[server].takeIdle() {
            if now < workers[Int(worker)].leaseEnd { woken.append(Int(worker)) }
        }
        guard !woken.isEmpty else { return }
        tally.rows += woken.count
        tell(woken, by: server)
    }

    // MARK: For owners

    private mutating func offer(_ chains: [Int32], of run: Int, _ server: Int) {
        let first = progress.chains(of: run).lowerBound
        let offers = chains.map { chain in
            let step = progress.step(Int(owners[run].next[Int(chain)]), of: first + Int(chain))
            return StepOffer(
                step: String(step), task: "step", version: 1, attempt: 1, token: UInt64(step), links: 1,
                failures: 0, interruptions: 0, priority: 0, cacheKey: nil)
        }
        servers[server].board.offer(offers, of: owners[run].id, number: run)
        servers[server].waiting += offers.count
        tally.rows += offers.count + 1
    }

    private mutating func ends(of run: Int, _ server: Int, acknowledging acknowledged: [AcknowledgedEnd])
        -> [StepEnd]
    {
        let ends = servers[server].board.ends(of: owners[run].id, acknowledging: acknowledged)
        owners[run].ends = ends.count
        tally.rows += acknowledged.isEmpty ? 0 : acknowledged.count + 1
        return ends
    }

    /// Offers again what workers had that are gone; whether there were any.
    private mutating func sweep(_ server: Int) -> Bool {
        if plan.sparesAfterStart, now < servers[server].started + plan.lease, servers[server].life > 0 {
            return false
        }
        guard servers[server].nextLeaseEnd <= now else { return false }
        var steps = 0
        var memberships = 0
        for worker in workers.indices
        where callers[worker].server == server && workers[worker].leaseEnd > 0
            && workers[worker].leaseEnd <= now
        {
            steps += workers[worker].held
            memberships += 1
            (workers[worker].leaseEnd, workers[worker].held) = (0, 0)
        }
        servers[server].board.sweep(at: now)
        servers[server].nextLeaseEnd = servers[server].board.nextLeaseEnd ?? 0
        servers[server].waiting += steps
        tally.lostMemberships += memberships
        tally.lostSteps += steps
        tally.rows += memberships + steps
        _ = servers[server].serve(Double(steps + memberships) * ServerCosts.handBack.step, .rest, at: now)
        return memberships > 0
    }

    /// Runs whose owner isn't heard of any more go on with another one.
    private mutating func takeOverOwnerless(on server: Int) {
        for run in owners.indices
        where callers[plan.workers + run].server == server && !owners[run].isOver && owners[run].leaseEnd > 0
            && owners[run].leaseEnd <= now
        {
            tally.takenOver += 1
            tally.rows += 1
            takeOver(run)
        }
    }
}
