import Foundation
import SteplineSupport
import SteplineWorkflow

/// The steps of a run that workers run: offers what is ready, all that has become so meanwhile at once, and hears of the ends.
final class RunOffers: Sendable {
    private struct State {
        /// The attempts that are offered, by their steps.
        var standing: [String: Standing] = [:]
        /// Attempts that an earlier owner of the run has offered.
        var adopted: [String: Int] = [:]
        var origins: [String: Origin] = [:]
        var waiting: [StepOffer] = []
        /// Attempts of which an earlier one is still to be kept, by their steps; they are offered then.
        var unready: [String: StepOffer] = [:]
        var withdrawn: [(step: String, attempt: Int)] = []
        var acknowledged: [HeardEnd] = []
        /// Failures that were heard of, and of which the steps themselves don't tell yet, by those.
        var unkept: [String: HeardEnd] = [:]
        var hasNews = true
        var isDue = false
        var isTalking = false
        var isOver = false
        var timer: Subscription?
        var news: Subscription?
        var idle: [OneShot<Void>] = []
    }

    /// How often it looks for ends that nobody has told of, and for workers that are gone.
    private static let pause = Duration.milliseconds(700)
    /// How many offers go into one write.
    private static let most = 2048

    private let run: any SharedRun
    private let store: any RunStore
    private let writer: RunWriter
    private let clock: any StepClock
    /// Whether an interruption leaves what is offered to the next owner: this one is a worker, and means itself.
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

    /// Takes up what an earlier owner has offered, and begins to listen, also for signals from outside.
    ///
    /// Ends that the plan knows of, from the steps themselves, are no news.
    func begin(_ plan: RunPlan, onSignal: @escaping @Sendable () -> Void) throws {
        let left = try run.offers().filter { !plan.hasFinished($0.offer.step, attempt: $0.offer.attempt) }
        state.withLock { state in
            for record in left { state.adopted[record.offer.step] = record.offer.attempt }
        }
        var known: [HeardEnd] = []
        repeat {
            known = try run.ends(acknowledging: known)
                .filter { plan.hasFinished($0.step, attempt: $0.attempt) }
                .map { HeardEnd(id: $0.id, attempt: $0.attempt) }
        } while !known.isEmpty
        let news = run.onNews { [weak self] news in
            if news == .signal { onSignal() } else { self?.hear() }
        }
        state.withLock { $0.news = news }
        watch()
    }

    /// Listens no longer, once all that was said is said; the store knows of every end that was heard.
    func end() async {
        let idle = OneShot<Void>()
        let (timer, news, begins) = state.withLock { state in
            state.isOver = true
            state.idle.append(idle)
            defer { state.isTalking = true }
            return (state.timer, state.news, !state.isTalking)
        }
        timer?.cancel()
        news?.cancel()
        if begins { Stages.async(on: queue) { self.talk() } }
        await idle.value
    }

    // MARK: The workflow's side

    /// Offers the body of an attempt.
    func offer(
        _ body: BodyElsewhere, of part: RunPart, _ facts: StepFacts, interruptions: Int, cacheKey: String?
    ) {
        let step = facts.name
        let offer = StepOffer(
            step: step, task: part.task(of: facts), version: facts.version, attempt: body.attempt,
            token: UInt64.random(in: 1...(UInt64.max >> 1)), links: facts.links, failures: body.failures,
            interruptions: interruptions, priority: body.priority, cacheKey: cacheKey)
        let (begins, isLater) = state.withLock { state in
            state.standing[step] = Standing(body: body, part: part, offer: offer)
            if state.adopted.removeValue(forKey: step) == body.attempt {
                // Its end may have come before it was asked for.
                state.hasNews = true
            } else if body.attempt > 1 {
                state.unready[step] = offer
                // What was heard of may not have come to the writer yet; then it is acknowledged first.
                return (false, state.unkept[step] == nil)
            } else {
                state.waiting.append(offer)
            }
            return (beginsToTalk(&state), false)
        }
        if begins { Stages.async(on: queue) { self.talk() } }
        // A worker's word of this attempt must not come before the owner's of the one before.
        if isLater { writer.whenKept { [weak self] in self?.lineUp(step) } }
        body.onStop { [weak self] in self?.withdraw(step, body) }
    }

    private func lineUp(_ step: String) {
        let begins = state.withLock { state in
            guard let offer = state.unready[step], state.standing[step]?.body.attempt == offer.attempt else {
                return false
            }
            state.unready[step] = nil
            state.waiting.append(offer)
            return beginsToTalk(&state)
        }
        if begins { Stages.async(on: queue) { self.talk() } }
    }

    private func withdraw(_ step: String, _ body: BodyElsewhere) {
        let attempt = body.attempt
        // What the next owner goes on with isn't taken from those who run it.
        let isKept = leavesOffers && body.cancellation.isInterruption
        let (stopped, begins) = state.withLock { state -> (BodyElsewhere?, Bool) in
            guard let standing = state.standing[step], standing.body.attempt == attempt else {
                return (nil, false)
            }
            // What was never told of needs no taking back.
            if state.unready.removeValue(forKey: step) != nil {
                state.standing[step] = nil
                return (standing.body, false)
            }
            if let place = state.waiting.lastIndex(where: { $0.step == step && $0.attempt == attempt }) {
                state.waiting.remove(at: place)
                state.standing[step] = nil
                return (standing.body, false)
            }
            if isKept {
                state.standing[step] = nil
                return (standing.body, false)
            }
            state.standing[step]?.isWithdrawn = true
            state.withdrawn.append((step, attempt))
            return (nil, beginsToTalk(&state))
        }
        if let stopped { BodyElsewhere.end([(stopped, .stopped)]) }
        if begins { Stages.async(on: queue) { self.talk() } }
    }

    /// Who has run the attempt that has just ended; forgets it.
    func takeOrigin(of step: String) -> Origin? {
        state.withLock { $0.origins.isEmpty ? nil : $0.origins.removeValue(forKey: step) }
    }

    // MARK: The store's side

    private func hear() {
        let begins = state.withLock { state in
            state.hasNews = true
            return beginsToTalk(&state)
        }
        if begins { Stages.async(on: queue) { self.talk() } }
    }

    private func beginsToTalk(_ state: inout State) -> Bool {
        if state.isTalking || state.isOver { return false }
        state.isTalking = true
        return true
    }

    /// Looks from time to time, whoever tells of news or doesn't.
    private func watch() {
        let timer = clock.schedule(after: Self.pause) { [weak self] in
            guard let self else { return }
            self.state.withLock { $0.isDue = true }
            self.hear()
            self.watch()
        }
        let isOver = state.withLock { state in
            state.timer = timer
            return state.isOver
        }
        if isOver { timer.cancel() }
    }

    private func next() -> Round? {
        let (round, idle) = state.withLock { state -> (Round?, [OneShot<Void>]) in
            var round = Round()
            round.withdrawn = state.withdrawn
            state.withdrawn = []
            if !state.isOver {
                round.offers = Array(state.waiting.prefix(Self.most))
                state.waiting.removeFirst(round.offers.count)
                // What has ended is acknowledged before it is offered anew.
                round.looks = state.hasNews || !state.acknowledged.isEmpty
                round.sweeps = state.isDue
                (state.hasNews, state.isDue) = (false, false)
            }
            let isNothing = round.offers.isEmpty && round.withdrawn.isEmpty && !round.looks
            if isNothing, !state.isOver || state.acknowledged.isEmpty {
                state.isTalking = false
                defer { state.idle = [] }
                return (nil, state.idle)
            }
            if round.looks || state.isOver {
                round.acknowledged = state.acknowledged
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
                if !round.withdrawn.isEmpty {
                    try run.withdraw(round.withdrawn)
                    state.withLock { $0.hasNews = true }
                }
                if round.sweeps { try run.sweep() }
                if round.looks { take(try run.ends(acknowledging: round.acknowledged)) }
                if !round.offers.isEmpty { try run.offer(round.offers) }
            } catch {
                writer.fail(error)
                let bodies = state.withLock { state in
                    state.isOver = true
                    (state.waiting, state.withdrawn, state.acknowledged) = ([], [], [])
                    defer { state.standing = [:] }
                    return state.standing.values.map(\.body)
                }
                BodyElsewhere.end(bodies.map { ($0, .stopped) })
            }
        }
    }

    private func take(_ ends: [StepEnd]) {
        guard !ends.isEmpty else { return }
        var unkept: [String: HeardEnd] = [:]
        let told = state.withLock { state in
            ends.compactMap { end -> (body: BodyElsewhere, end: BodyElsewhere.End)? in
                let heard = HeardEnd(id: end.id, attempt: end.attempt)
                if state.unkept[end.step] == heard { return nil }
                guard let standing = state.standing[end.step], standing.body.attempt == end.attempt else {
                    // Of an earlier owner's, which isn't asked for yet: it is told again then.
                    if state.adopted[end.step] != end.attempt { state.acknowledged.append(heard) }
                    return nil
                }
                if end.outcome == .stopped, !standing.isWithdrawn {
                    state.acknowledged.append(heard)
                    state.waiting.append(standing.offer)
                    return nil
                }
                state.standing[end.step] = nil
                state.origins[end.step] = Origin(worker: end.worker, began: end.began)
                switch end.outcome {
                case .finished, .stopped: state.acknowledged.append(heard)
                case .failed, .retries: unkept[end.step] = heard
                }
                let facts = standing.part.facts(standing.body.number)
                return (standing.body, end.bodyEnd(of: facts, in: run.record.id, store))
            }
        }
        state.withLock { $0.unkept.merge(unkept) { $1 } }
        BodyElsewhere.end(told)
        // Until the owner has kept a failure, nobody but the offer knows of it.
        if !unkept.isEmpty { writer.whenKept { [weak self, unkept] in self?.acknowledge(unkept) } }
    }

    private func acknowledge(_ kept: [String: HeardEnd]) {
        state.withLock { state in
            for (step, heard) in kept where state.unkept[step] == heard { state.unkept[step] = nil }
            state.acknowledged += kept.values
        }
        for step in kept.keys { writer.whenKept { [weak self] in self?.lineUp(step) } }
        hear()
    }
}
