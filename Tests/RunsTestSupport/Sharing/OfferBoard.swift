package import Foundation
package import SteplineRuns

/// The offers of a store and their assignment to workers: the rules of sharing, as a value without clock or threads.
///
/// The caller holds a lock and passes times of its own clock. An offer is free, claimed by a member, or ended until the
/// owner acknowledges its end. Claims take the highest priority first, then alternate between runs.
package struct OfferBoard: Sendable {
    private struct Offer: Sendable {
        let run: RunID
        let runNumber: Int
        let turn: Int
        var step: StepOffer
        var worker: Int?
        var workerName: String?
        var began: Date?
        var isToStop = false
        var outcome: StepOutcome?
    }

    private struct Member: Sendable {
        let profile: WorkerProfile
        var leaseEnd: Double
        var held: Set<Int> = []
        var unknown: Set<Kind> = []
    }

    /// A version of a task in one run.
    private struct Kind: Hashable, Sendable {
        let run: RunID
        let task: String
        let version: Int
    }

    /// The number of seconds without a heartbeat after which a worker's lease expires.
    package let lease: Double
    private var offers: [Int: Offer] = [:]
    /// The offers of each run by step name, so that operations on one run don't scan all offers.
    private var places: [RunID: [String: Int]] = [:]
    private var members: [Int: Member] = [:]
    private var lines: [String: OfferLine] = [:]  // free offers by workflow; entries may be stale
    private var riskyLines: [String: OfferLine] = [:]  // those that must run alone
    private var ended: [RunID: [Int]] = [:]  // not acknowledged yet
    private var turns: [RunID: Int] = [:]  // fairness position of the run's latest offer
    private var present: [String: Int] = [:]  // fairness position of the latest claim
    private var lastID = 0

    package init(lease: Double) { self.lease = lease }

    // MARK: Owners

    /// Offers steps of a run; each replaces an earlier offer of the same step.
    package mutating func offer(_ steps: [StepOffer], of run: RunID, number: Int) {
        // A new run starts at the position of the latest claim. Otherwise it would precede all older runs.
        var turn = max(turns[run] ?? 0, present[run.workflow] ?? 0)
        for step in steps {
            if let old = places[run]?[step.step] {
                // The same attempt is offered again after a lost answer.
                if offers[old]?.step.attempt == step.attempt { continue }
                remove(old)
            }
            turn += 1
            lastID += 1
            offers[lastID] = Offer(run: run, runNumber: number, turn: turn, step: step)
            places[run, default: [:]][step.step] = lastID
            lineUp(lastID)
        }
        turns[run] = turn
    }

    /// Removes offers of a run even if workers hold them: the given steps, or all steps if nil.
    package mutating func takeAway(_ steps: [String]?, of run: RunID) {
        let ids = steps.map { $0.compactMap { places[run]?[$0] } } ?? Array((places[run] ?? [:]).values)
        for id in ids { remove(id) }
        ended[run]?.removeAll { offers[$0] == nil }
    }

    /// Withdraws offers and returns the workers to notify.
    package mutating func withdraw(_ steps: [(step: String, attempt: Int)], of run: RunID) -> Set<Int> {
        var notified: Set<Int> = []
        for (step, attempt) in steps {
            guard let id = places[run]?[step], let offer = offers[id],
                offer.step.attempt == attempt, offer.outcome == nil
            else { continue }
            if let worker = offer.worker {
                offers[id]?.isToStop = true
                notified.insert(worker)
            } else {
                end(id, .stopped)
            }
        }
        return notified
    }

    /// Removes acknowledged ends and returns the remaining ends of a run.
    package mutating func ends(of run: RunID, acknowledging acknowledged: [AcknowledgedEnd]) -> [StepEnd] {
        if !acknowledged.isEmpty {
            let known = Set(acknowledged.map(\.id))
            // The identifiers may come from an earlier run of the same name.
            for id in known where offers[id]?.run == run && offers[id]?.outcome != nil { remove(id) }
            ended[run]?.removeAll { known.contains($0) }
        }
        return (ended[run] ?? []).compactMap { id in
            guard let offer = offers[id], let outcome = offer.outcome else { return nil }
            return StepEnd(
                id: id, step: offer.step.step, attempt: offer.step.attempt, outcome: outcome,
                worker: offer.workerName, began: offer.began)
        }
    }

    package func records(of run: RunID) -> [OfferRecord] {
        (places[run] ?? [:]).sorted { $0.key < $1.key }.compactMap { offers[$0.value] }.map { offer in
            OfferRecord(
                offer: offer.step, worker: offer.workerName, began: offer.began,
                hasEnded: offer.outcome != nil)
        }
    }

    /// Removes all offers of a run that has ended or was forgotten.
    package mutating func forget(_ run: RunID) {
        for id in (places[run] ?? [:]).values { remove(id) }
        places[run] = nil
        ended[run] = nil
        turns[run] = nil
    }

    // MARK: Workers

    package mutating func join(_ profile: WorkerProfile, at now: Double) -> Int {
        lastID += 1
        members[lastID] = Member(profile: profile, leaseEnd: now + lease)
        return lastID
    }

    package func records(of workflow: String?, at now: Double) -> [WorkerRecord] {
        members.filter {
            now < $0.value.leaseEnd && (workflow == nil || workflow == $0.value.profile.workflow)
        }
        .sorted { $0.key < $1.key }
        .map { number, member in
            WorkerRecord(
                number: number, profile: member.profile,
                unknown: member.unknown.map { "\($0.task) version \($0.version)" }.sorted())
        }
    }

    /// Claims steps, the most urgent first: one step that must run alone if `risky`, otherwise up to `count` others.
    package mutating func claim(
        _ count: Int, risky: Bool, by worker: Int, at now: Double, began: Date
    ) -> [ClaimedStep] {
        guard let member = members[worker], now < member.leaseEnd else { return [] }
        let workflow = member.profile.workflow
        var claims: [ClaimedStep] = []
        var passed: [OfferLine.Entry] = []
        while claims.count < (risky ? min(count, 1) : count) {
            let next =
                risky ? riskyLines[workflow]?.popFirst() : lines[workflow]?.popFirst()
            guard let entry = next else { break }
            // Skip stale entries: the offer was removed, claimed or moved to the other heap.
            guard let offer = offers[entry.id], offer.worker == nil, offer.outcome == nil,
                offer.step.isRisky == risky
            else { continue }
            // Other workers may have this task: reinsert the entry after the loop.
            if member.unknown.contains(kind(of: offer)) {
                passed.append(entry)
                continue
            }
            offers[entry.id]?.worker = worker
            offers[entry.id]?.workerName = WorkerRecord.name(member.profile, worker)
            offers[entry.id]?.began = began
            members[worker]?.held.insert(entry.id)
            present[workflow] = max(present[workflow] ?? 0, offer.turn)
            claims.append(
                ClaimedStep(id: entry.id, run: offer.run, runNumber: offer.runNumber, offer: offer.step))
        }
        for entry in passed {
            if risky {
                riskyLines[workflow, default: OfferLine()].insert(entry)
            } else {
                lines[workflow, default: OfferLine()].insert(entry)
            }
        }
        return claims
    }

    /// Returns whether a worker holds a claim that hasn't ended.
    package func holds(_ claim: Int, _ worker: Int) -> Bool {
        offers[claim].map { $0.worker == worker && $0.outcome == nil } ?? false
    }

    /// Ends a claim; returns false if the worker doesn't hold it any more.
    package mutating func end(_ claim: Int, _ outcome: StepOutcome, by worker: Int) -> Bool {
        guard holds(claim, worker) else { return false }
        members[worker]?.held.remove(claim)
        end(claim, outcome)
        return true
    }

    /// Returns an intact step to the queue.
    package mutating func handBack(_ claim: Int, by worker: Int) {
        guard holds(claim, worker) else { return }
        members[worker]?.held.remove(claim)
        offerAgain(claim)
    }

    /// Returns a step to the queue that the worker can't run; the worker doesn't receive that kind until `accept`.
    package mutating func refuse(_ claim: Int, by worker: Int) {
        guard holds(claim, worker), let offer = offers[claim] else { return }
        let kind = kind(of: offer)
        members[worker]?.unknown.insert(kind)
        handBack(claim, by: worker)
    }

    /// Lets a worker receive steps of a refused kind again.
    package mutating func accept(_ claim: ClaimedStep, by worker: Int) {
        members[worker]?.unknown.remove(
            Kind(run: claim.run, task: claim.offer.task, version: claim.offer.version))
    }

    /// Renews a worker's lease, also an expired one; returns nil if a sweep has removed the worker.
    package mutating func beat(_ worker: Int, until leaseEnd: Double) -> WorkerBeat? {
        guard let member = members[worker] else { return nil }
        members[worker]?.leaseEnd = leaseEnd
        let workflow = member.profile.workflow
        // Stale entries at the front must not make workers run idle for a step that needs an empty worker.
        while let first = riskyLines[workflow]?.first, !waitsAlone(first.id) {
            _ = riskyLines[workflow]?.popFirst()
        }
        return WorkerBeat(
            held: member.held, stops: member.held.filter { offers[$0]?.isToStop == true },
            areRiskyWaiting: riskyLines[workflow]?.first != nil, areWaiting: lines[workflow]?.first != nil)
    }

    package mutating func leave(_ worker: Int) {
        for claim in members[worker]?.held ?? [] { handBack(claim, by: worker) }
        members[worker] = nil
    }

    /// Offers the claims of expired workers again; returns whether any lease has expired.
    @discardableResult
    package mutating func sweep(at now: Double) -> Bool {
        let dead = members.filter { $0.value.leaseEnd <= now }
        for (worker, member) in dead {
            for claim in member.held { interrupt(claim) }
            members[worker] = nil
        }
        return !dead.isEmpty
    }

    /// The time at which the next lease expires; nil without workers.
    package var nextLeaseEnd: Double? { members.values.map(\.leaseEnd).min() }

    // MARK: Within

    private func kind(of offer: Offer) -> Kind {
        Kind(run: offer.run, task: offer.step.task, version: offer.step.version)
    }

    private func waitsAlone(_ id: Int) -> Bool {
        offers[id].map { $0.worker == nil && $0.outcome == nil && $0.step.isRisky } ?? false
    }

    private mutating func lineUp(_ id: Int) {
        guard let offer = offers[id] else { return }
        let entry = OfferLine.Entry(priority: offer.step.priority, turn: offer.turn, id: id)
        if offer.step.isRisky {
            riskyLines[offer.run.workflow, default: OfferLine()].insert(entry)
        } else {
            lines[offer.run.workflow, default: OfferLine()].insert(entry)
        }
    }

    private mutating func interrupt(_ id: Int) {
        guard let offer = offers[id], offer.outcome == nil else { return }
        // Stopped steps don't count an interruption: their end was wanted.
        if offer.isToStop { return end(id, .stopped) }
        let count = offer.step.interruptions + 1
        offers[id]?.step.interruptions = count
        guard count < StepOffer.mostInterruptions else {
            return end(id, .failed(StepFailure(interrupted: count, offer.step.step)))
        }
        offerAgain(id)
    }

    private mutating func offerAgain(_ id: Int) {
        // The owner has withdrawn the step while the worker held it.
        if offers[id]?.isToStop == true { return end(id, .stopped) }
        offers[id]?.worker = nil
        offers[id]?.workerName = nil
        offers[id]?.began = nil
        lineUp(id)
    }

    private mutating func end(_ id: Int, _ outcome: StepOutcome) {
        guard let run = offers[id]?.run else { return }
        offers[id]?.outcome = outcome
        ended[run, default: []].append(id)
    }

    private mutating func remove(_ id: Int) {
        guard let offer = offers.removeValue(forKey: id) else { return }
        // A later offer of the step may already have the place.
        if places[offer.run]?[offer.step.step] == id { places[offer.run]?[offer.step.step] = nil }
        if let worker = offer.worker { members[worker]?.held.remove(id) }
    }
}
