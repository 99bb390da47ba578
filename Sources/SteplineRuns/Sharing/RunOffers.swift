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
        var later = LaterAttempts()
        var withdrawn: [(step: String, attempt: Int)] = []
        var acknowledged: [HeardEnd] = []
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
        var turn = LaterAttempts.Turn.waits
        talk { state in
            state.standing[step] = Standing(body: body, part: part, offer: offer)
            if state.adopted.removeValue(forKey: step) == body.attempt {
                state.later.addAdopted(step, attempt: body.attempt)
                // Its end may have come before it was asked for.
                state.hasNews = true
                return true
            }
            turn = state.later.add(offer)
            if turn == .offer { state.waiting.append(offer) }
            return turn == .offer
        }
        lineUp(step, turn)
        body.onStop { [weak self] in self?.withdraw(step, body) }
    }

    /// The writer was told of an attempt's end, which may be before the attempt itself comes.
    func wasTold(_ step: String, attempt: Int, mayComeYet: Bool) {
        lineUp(step, state.withLock { $0.later.wasTold(step, attempt: attempt, mayComeYet: mayComeYet) })
    }

    /// A worker's word of an attempt must not come before the owner's of the one before.
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
        // What the next owner goes on with isn't taken from those who run it.
        let isKept = leavesOffers && body.cancellation.isInterruption
        var isOver = false
        talk { state in
            guard state.standing[step]?.body.attempt == attempt else { return false }
            // What was never told of needs no taking back.
            isOver = state.later.withdraw(step) || state.waiting.remove(step, attempt) || isKept
            if isOver {
                state.standing[step] = nil
            } else {
                state.standing[step]?.isWithdrawn = true
                state.withdrawn.append((step, attempt))
            }
            return !isOver
        }
        if isOver { BodyElsewhere.end([(body, .stopped)]) }
    }

    /// Who has run an attempt that has just failed; forgets it.
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

    /// Talks to the store on a thread of its own after a change that makes that necessary, unless that goes on.
    private func talk(if change: (inout State) -> Bool) {
        let begins = state.withLock { change(&$0) && beginsToTalk(&$0) }
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
        let (isOver, fired) = state.withLock { state in
            defer { state.timer = timer }
            return (state.isOver, state.timer)
        }
        // What a user's clock has made is released after the lock.
        withExtendedLifetime(fired) {}
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
                if state.later.isUnkept(heard, of: end.step) { return nil }
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
                switch end.outcome {
                case .finished, .stopped: state.acknowledged.append(heard)
                case .failed, .retries:
                    state.origins[end.step] = Origin(end)
                    state.later.heard(heard, of: end.step)
                    unkept[end.step] = heard
                }
                let facts = standing.part.facts(standing.body.number)
                return (standing.body, end.bodyEnd(of: facts, in: run.record.id, store))
            }
        }
        BodyElsewhere.end(told)
        // Until the owner has kept a failure, nobody but the offer knows of it.
        if !unkept.isEmpty { writer.whenKept { [weak self, unkept] in self?.acknowledge(unkept) } }
    }

    private func acknowledge(_ kept: [String: HeardEnd]) {
        state.withLock { state in
            for (step, heard) in kept { state.later.wasKept(heard, of: step) }
            state.acknowledged += kept.values
        }
        for step in kept.keys { writer.whenKept { [weak self] in self?.lineUp(step) } }
        hear()
    }
}
