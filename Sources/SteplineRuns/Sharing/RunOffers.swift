import Foundation
import SteplineSupport
import SteplineWorkflow

/// The owner's side of a shared run: offers ready steps to workers and reports their ends to the workflow.
///
/// One round of store calls is active at a time (`isTalking`), on `queue`, without the lock. See `SharedRunStore`.
final class RunOffers: Sendable {
    private struct State {
        /// The attempts that are offered, by their steps.
        var offered: [String: Offered] = [:]
        /// Attempts that an earlier owner of the run has offered.
        var adopted = AdoptedOffers()
        var origins: [String: Origin] = [:]  // of failures to be written
        var waiting: [StepOffer] = []  // for the next round
        var later = LaterAttempts()
        var withdrawn: [(step: String, attempt: Int)] = []
        var acknowledged: [AcknowledgedEnd] = []
        var hasNews = true  // the store may have ends that weren't read yet
        var isDue = false  // the polling interval has passed
        var isTalking = false
        var isOver = false
        var timer: Subscription?
        var news: Subscription?
        var idle: [OneShot<Void>] = []  // callers of `end()`
    }

    /// The polling interval for ends whose notification was lost, and for expired workers.
    private static let pause = Duration.milliseconds(700)
    /// The largest number of offers in one write.
    private static let most = 2048

    private let run: any SharedRun
    private let store: any RunStore
    private let writer: RunWriter
    private let clock: any StepClock
    /// Whether an interruption leaves offers to the next owner: true if this owner is a worker that leaves.
    private let leavesOffers: Bool
    private let state = Locked(State())
    private let queue = DispatchQueue(label: "stepline.runs.offers", attributes: .concurrent)

    init(
        _ run: any SharedRun, _ store: any RunStore, _ writer: RunWriter, on place: RunPlace,
        clock: any StepClock
    ) {
        self.run = run
        leavesOffers = place == .worker
        self.store = store
        self.writer = writer
        self.clock = clock
    }

    deinit {
        let (timer, news) = state.withLock { ($0.timer, $0.news) }
        timer?.cancel()
        news?.cancel()
    }

    /// Adopts an earlier owner's offers, acknowledges ends that the plan includes, and starts listening.
    func begin(_ plan: RunPlan, onSignal: @escaping @Sendable () -> Void) throws {
        let left = try run.offers().filter { !plan.hasFinished($0.offer.step, attempt: $0.offer.attempt) }
        state.withLock { state in
            // `offer` finds the attempt here and doesn't offer it a second time.
            for record in left { state.adopted.adopt(record.offer) }
        }
        // An earlier owner ended without acknowledging these ends, whose results the steps have.
        var known: [AcknowledgedEnd] = []
        repeat {
            known = try run.ends(acknowledging: known)
                .filter { plan.hasFinished($0.step, attempt: $0.attempt) }
                .map { AcknowledgedEnd(id: $0.id, attempt: $0.attempt) }
        } while !known.isEmpty
        // Weak: this object owns the subscription.
        let news = run.onNews { [weak self] news in
            if news == .signal { onSignal() } else { self?.hear() }
        }
        state.withLock { $0.news = news }
        watch()
    }

    /// Stops listening after the last round; the store then knows all acknowledged ends.
    func end() async {
        let idle = OneShot<Void>()
        let (timer, news, begins) = state.withLock { state in
            state.isOver = true
            state.idle.append(idle)
            // An active round fulfils the new waiter too. Otherwise start a last round for it.
            defer { state.isTalking = true }
            return (state.timer, state.news, !state.isTalking)
        }
        timer?.cancel()
        news?.cancel()
        if begins { Stages.async(on: queue) { self.talk() } }
        await idle.value
    }

    // MARK: The workflow's side

    /// Offers an attempt's body to the workers.
    func offer(
        _ body: BodyElsewhere, of part: RunPart, _ facts: StepFacts, interruptions: Int, cacheKey: String?,
        element: Data?
    ) {
        let step = facts.name
        let offer = StepOffer(
            step: step, task: part.task(of: facts), version: facts.version, attempt: body.attempt,
            // At most 63 bits, since stores have signed integers. 0 is the token of a step without attempts.
            token: UInt64.random(in: 1...(UInt64.max >> 1)), links: facts.links, failures: body.failures,
            interruptions: interruptions, priority: body.priority, cacheKey: cacheKey,
            element: element)
        var turn = LaterAttempts.Turn.waits
        talk { state in
            state.offered[step] = Offered(body: body, part: part, offer: offer)
            if state.adopted.take(step, attempt: body.attempt) {
                state.later.addAdopted(step, attempt: body.attempt)
                // The end may have arrived before the workflow asked for this attempt: read the ends again.
                state.hasNews = true
                return true
            }
            turn = state.later.add(offer)
            if turn == .offer { state.waiting.append(offer) }
            return turn == .offer
        }
        lineUp(step, turn)
        // After the offer is recorded: the handler runs at once if the attempt was stopped before.
        body.onStop { [weak self] in self?.withdraw(step, body) }
    }

    /// Returns how many attempts precede the next one of each step that an earlier owner has offered.
    func precedingAttempts(of steps: [String]) -> [String: Int] {
        state.withLock { $0.adopted.precedingAttempts(of: steps) }
    }

    /// Takes away the adopted offers for elements of a growing map that aren't in its list any more.
    func keepAdopted(of map: String, where isElement: (String) -> Bool) {
        talk { $0.adopted.removeStrangers(of: map, isElement) }
    }

    /// Records that the writer received an attempt's end, possibly before the attempt is offered.
    func wasNotified(_ step: String, attempt: Int, mayComeYet: Bool) {
        lineUp(step, state.withLock { $0.later.wasNotified(step, attempt: attempt, mayComeYet: mayComeYet) })
    }

    /// Offers a later attempt after the owner's write of the attempt before; the store refuses the reverse order.
    private func lineUp(_ step: String, _ turn: LaterAttempts.Turn) {
        if turn == .afterWriter { writer.whenKept { [weak self] in self?.lineUp(step) } }
    }

    private func lineUp(_ step: String) {
        talk { state in
            guard let offer = state.later.take(step) else { return false }
            state.waiting.append(offer)
            return true
        }
    }

    private func withdraw(_ step: String, _ body: BodyElsewhere) {
        let attempt = body.attempt
        // A leaving worker keeps the claims of other workers intact for the next owner.
        let isKept = leavesOffers && body.cancellation.isInterruption
        var isOver = false
        talk { state in
            // The attempt has ended meanwhile, or a later one has taken its place.
            guard state.offered[step]?.body.attempt == attempt else { return false }
            // An attempt that the store never received needs no withdrawal. After an error no round withdraws anything.
            isOver =
                state.later.withdraw(step) || state.waiting.remove(step, attempt) || isKept || state.isOver
            if isOver {
                state.offered[step] = nil
            } else {
                state.offered[step]?.isWithdrawn = true
                state.withdrawn.append((step, attempt))
            }
            return !isOver
        }
        // After unlock: ending a body runs a transaction of the workflow.
        if isOver { BodyElsewhere.end([(body, .stopped)]) }
    }

    /// Removes and returns the worker of an attempt that has just failed.
    func takeOrigin(of step: String, attempt: Int) -> Origin? {
        state.withLock { state in
            guard state.origins[step]?.attempt == attempt else { return nil }
            return state.origins.removeValue(forKey: step)
        }
    }

    // MARK: The store's side

    private func hear() {
        talk { state in
            state.hasNews = true
            return true
        }
    }

    /// Applies a change, and starts a round on another thread if the change needs one and none is active.
    private func talk(if change: (inout State) -> Bool) {
        let begins = state.withLock { change(&$0) && beginsToTalk(&$0) }
        if begins { Stages.async(on: queue) { self.talk() } }
    }

    private func beginsToTalk(_ state: inout State) -> Bool {
        // The active round takes the change: it clears `isTalking` only under this lock and with nothing left to do.
        if state.isTalking || state.isOver { return false }
        state.isTalking = true
        return true
    }

    /// Schedules the next poll, which also finds ends whose notification was lost.
    private func watch() {
        let timer = clock.scheduleInBackground(after: Self.pause) { [weak self] in
            guard let self else { return }
            self.state.withLock { $0.isDue = true }
            self.hear()
            self.watch()
        }
        // `end` may run between the schedule and this lock: cancel the new timer then.
        let (isOver, fired) = state.withLock { state in
            defer { state.timer = timer }
            return (state.isOver, state.timer)
        }
        // Release the timer after unlock: a user's clock made it.
        withExtendedLifetime(fired) {}
        if isOver { timer.cancel() }
    }

    private func next() -> Round? {
        let (round, idle) = state.withLock { state -> (Round?, [OneShot<Void>]) in
            var round = Round()
            // Also in the last round: workers must not continue stopped attempts.
            round.withdrawn = state.withdrawn
            state.withdrawn = []
            round.takenAway = state.adopted.takeUnwanted()
            if !state.isOver {
                round.offers = state.waiting.batch(Self.most)  // one for each round
                state.waiting.removeFirst(round.offers.count)
                round.looks = state.hasNews || !state.acknowledged.isEmpty
                round.sweeps = state.isDue
                (state.hasNews, state.isDue) = (false, false)
            }
            if round.isEmpty, !state.isOver || state.acknowledged.isEmpty {
                state.isTalking = false  // under the lock: no change is lost
                defer { state.idle = [] }
                return (nil, state.idle)
            }
            if round.looks || state.isOver {
                round.acknowledged = state.acknowledged  // the last round acknowledges
                round.looks = true
                state.acknowledged = []
            }
            return (round, [])
        }
        for waiter in idle { waiter.fulfill(()) }
        return round
    }

    private func talk() {
        while let round = next() {
            do {
                if !round.takenAway.isEmpty { try run.takeAway(round.takenAway) }
                if !round.withdrawn.isEmpty {
                    try run.withdraw(round.withdrawn)
                    state.withLock { $0.hasNews = true }  // withdrawn free offers end at once
                }
                if round.sweeps { try run.sweep() }
                if round.looks { try take(try run.ends(acknowledging: round.acknowledged)) }
                if !round.offers.isEmpty { try run.offer(round.offers) }
            } catch {
                writer.fail(error)  // the run stops
                let bodies = state.withLock { state in
                    // `next` then returns nil, fulfils the waiters of `end`, and no other round starts.
                    state.isOver = true
                    (state.waiting, state.withdrawn, state.acknowledged) = ([], [], [])
                    _ = state.adopted.takeUnwanted()
                    defer { state.offered = [:] }
                    return state.offered.values.map(\.body)
                }
                BodyElsewhere.end(bodies.map { ($0, .stopped) })  // outside the lock
            }
        }
    }

    private func take(_ ends: [StepEnd]) throws {
        guard !ends.isEmpty else { return }
        let elements = state.withLock { state in
            ends.compactMap { state.offered[$0.step]?.element(endedBy: $0) }
        }
        let found = try Self.found(by: elements, of: run.record.id, in: store)
        var unkept: [String: AcknowledgedEnd] = [:]
        let ended = state.withLock { state in
            ends.compactMap { end -> (body: BodyElsewhere, end: BodyElsewhere.End)? in
                let acknowledged = AcknowledgedEnd(id: end.id, attempt: end.attempt)
                if state.later.isUnkept(acknowledged, of: end.step) { return nil }
                guard let offered = state.offered[end.step], offered.body.attempt == end.attempt else {
                    // The workflow hasn't asked for an adopted attempt yet: leave its end unacknowledged, so that it
                    // comes again.
                    if state.adopted.attempt(of: end.step) != end.attempt {
                        state.acknowledged.append(acknowledged)
                    }
                    return nil
                }
                if end.outcome == .stopped, !offered.isWithdrawn {
                    state.acknowledged.append(acknowledged)  // revoked by the store, not by this owner
                    state.waiting.append(offered.offer)
                    return nil
                }
                // The workflow has asked for it while the results were read: read what it has found, too.
                if offered.awaitsFindings(of: end), found[end.step] == nil {
                    state.hasNews = true
                    return nil
                }
                state.offered[end.step] = nil
                switch end.outcome {
                case .finished, .stopped: state.acknowledged.append(acknowledged)
                case .failed, .retries:
                    state.origins[end.step] = Origin(end)
                    state.later.addUnkept(acknowledged, of: end.step)
                    unkept[end.step] = acknowledged  // acknowledged once it is stored
                }
                let facts = offered.part.facts(offered.body.number)
                return (offered.body, end.bodyEnd(of: facts, in: run.record.id, store, found[end.step]))
            }
        }
        BodyElsewhere.end(ended)
        // The offer is the only record of a failure until the writer has stored it. Acknowledge after that. The next
        // owner reads the end of a failure that couldn't be stored.
        if !unkept.isEmpty { writer.whenKept { [weak self, unkept] in self?.acknowledge(unkept) } }
    }

    private func acknowledge(_ kept: [String: AcknowledgedEnd]) {
        state.withLock { state in
            for (step, acknowledged) in kept { state.later.wasKept(acknowledged, of: step) }
            state.acknowledged += kept.values
        }
        // The next attempt of the step may have been added meanwhile and wait for this failure.
        for step in kept.keys { writer.whenKept { [weak self] in self?.lineUp(step) } }
        hear()
    }
}
