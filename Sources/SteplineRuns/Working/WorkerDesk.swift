import Foundation
import SteplineSupport
import SteplineWorkflow

/// What a worker has in hand: its seat at the store, the runs that it has built, and the steps that it runs.
// Touched by the worker's one thread alone.
final class WorkerDesk {
    private let store: any SharedRunStore
    private let profile: WorkerProfile
    private let clock: any StepClock
    private let tell: (WorkerNews) -> Void
    private let news: @Sendable () -> Void
    private let runs: BuiltRuns

    private var seat: any WorkerSeat
    private var listening: Subscription?
    private var running = RunningSteps()
    private var unbegun = UnbegunSteps()
    private var lost = LostBodies()
    private var ahead: StepsAhead
    private var unsent: UnsentEnds
    let lease: WorkerLease
    let signals: UnsentSignals
    private var areRiskyWaiting = false
    /// The uptime since which it has had nothing to do; nil while it has.
    private(set) var idleSince: Duration?

    init(
        _ store: any SharedRunStore, _ workflow: String, _ settings: WorkerSettings,
        _ workflows: WorkedWorkflows, _ tell: @escaping (WorkerNews) -> Void,
        news: @escaping @Sendable () -> Void, ended: @escaping @Sendable (BodyEnd) -> Void
    ) throws {
        self.store = store
        self.tell = tell
        self.news = news
        clock = settings.clock
        signals = UnsentSignals(to: store, clock: clock, news: news)
        runs = BuiltRuns(store, workflows, clock: clock, signals, ended: ended)
        profile = WorkerProfile(workflow: workflow, slots: max(1, settings.slots))
        ahead = StepsAhead(slots: profile.slots, clock: clock)
        unsent = UnsentEnds(clock: clock)
        let now = clock.uptime
        seat = try store.join(profile)
        (lease, idleSince) = (WorkerLease(of: seat, since: now, clock: clock), now)
        listen()
    }

    /// Whether it has nothing in hand.
    var isIdle: Bool {
        slotsInUse == 0 && ahead.count == 0 && unsent.steps.isEmpty && !signals.isRestLeft
    }

    /// For how long it can be left alone as long as nothing happens; nil if for any time.
    var rest: Duration? {
        let isStopping = lost.count > 0 || running.steps.contains(where: \.isStopping)
        // Nobody tells when a body is over that was told to stop.
        if unbegun.mustBeTried || isStopping { return .milliseconds(20) }
        return unsent.steps.isEmpty ? ahead.rest ?? signals.rest : UnsentEnds.gathering
    }

    private var slotsInUse: Int { running.count + lost.count + unbegun.count }

    private var inSlots: [ClaimedStep] { running.steps.map(\.claim) + unbegun.steps.map(\.claim) }

    /// Leaves; what it still has in hand is given back, and told to stop.
    func close() {
        listening?.cancel()
        lease.close()
        running.stop { _ in true }
        for step in running.steps { tell(.handedBack(step.claim, reason: "its worker leaves")) }
        seat.leave()
    }

    // MARK: Taking steps

    /// Takes as many steps as there is room for.
    func claim() throws {
        // What it takes goes to others after a lease.
        if lease.isLong { _ = try beat(asIdle: false) }
        while true {
            let isAlone = ahead.isRisky || inSlots.contains(where: \.offer.isRisky)
            let free = isAlone ? 0 : profile.slots + ahead.room - slotsInUse - ahead.count
            // Not for a few where there are enough.
            guard free > ahead.room / 2 else { return }
            var claims: [ClaimedStep] = []
            // One that may end the process is run when nothing else is.
            if areRiskyWaiting {
                guard isIdle else { return }
                claims = try seat.claim(1, risky: true)
                areRiskyWaiting = !claims.isEmpty
            }
            if claims.isEmpty { claims = try seat.claim(free, risky: false) }
            guard !claims.isEmpty else { return noteIdle() }
            idleSince = nil
            runs.age()
            ahead.add(claims)
            try beginNext()
        }
    }

    /// Begins as many steps as there are free slots; none while others may have what is in hand here.
    private func beginNext() throws {
        while ahead.count > 0, slotsInUse < profile.slots, !lease.isOver {
            let claims = ahead.take(profile.slots - slotsInUse)
            try runs.reading(for: claims) { for claim in claims { try begin(claim) } }
        }
    }

    /// Gives back what it hasn't begun.
    func handBackUnbegun() throws {
        try handBack(ahead.take(ahead.count) + unbegun.take { _ in true }.map(\.claim))
    }

    private func handBack(_ claims: [ClaimedStep]) throws {
        if !claims.isEmpty { try seat.handBack(claims.map(\.id)) }
    }

    private func begin(_ claim: ClaimedStep) throws {
        try refusing(claim) {
            let run = try runs.run(of: claim) { Set(running.steps.map(\.claim.run)) }
            guard let place = try run.place(of: claim.offer) else {
                throw RunsError("the program has no such task of that version")
            }
            try begin(Running(claim: claim, run: run, place: place, began: clock.now))
        }
    }

    private func begin(_ step: Running) throws {
        // What isn't begun, as others may have it, is missed at the next beat, and given back.
        if !lease.isOver { try refusing(step.claim) { try run(step) } }
    }

    private func run(_ step: Running) throws {
        if let missing = step.run.missing(before: step.place) { return try begin(step, after: missing) }
        guard !lost.contains(step.key), !unbegun.isMade(step.key) else { return unbegun.add(step) }
        let offer = step.claim.offer
        guard try step.run.run(step.place, attempt: offer.attempt, failures: offer.failures) else {
            return unbegun.add(step)
        }
        // Its end may have come by now, and is looked at later, by this thread.
        running.add(step)
        tell(.began(step.claim))
    }

    /// Has a step wait for a result that is made here, by a body for it or by a step of its own that runs here.
    private func begin(_ step: Running, after missing: WorkedRun.Place) throws {
        let key = Key(run: ObjectIdentifier(step.run), place: missing)
        if !unbegun.isMade(key), running[key] == nil {
            // An old body isn't over, whose end nobody may tell of.
            guard try step.run.run(missing, attempt: 1, failures: 0) else { return unbegun.add(step) }
        }
        unbegun.add(step, waitingFor: key)
    }

    private func forget(_ step: Running) {
        if running.remove(step) { unbegun.isNotMade(step.key) }
    }

    /// Refuses a step that can't be begun here; what is no fault of the step's own ends the worker.
    private func refusing(_ claim: ClaimedStep, _ begin: () throws -> Void) throws {
        do { try begin() } catch let error as RunStoreError where error.code != .resultDamaged {
            throw error
        } catch {
            try seat.refuse(claim)
            tell(.unknown(claim, reason: ErrorText.line(error)))
        }
    }

    // MARK: Ends

    /// Hands in what has ended.
    func take(_ ends: [BodyEnd]) throws {
        var worked: [WorkedStep] = []
        for end in ends {
            if end.entry.isCancellation {
                try takeCancelled(end)
            } else if let step = running[end.key] {
                guard Int(end.entry.attempt) == step.claim.offer.attempt else { continue }
                ahead.note(end.date.timeIntervalSince(step.began))
                let ended = step.worked(end.outcome, end.result, ended: end.date)
                end.putBack()
                if case .retries = ended.outcome, step.isBodyLeft {
                    running.end(step, as: ended)
                } else {
                    try beginWaiting(for: end)
                    forget(step)
                    worked.append(ended)
                }
            } else if unbegun.isMade(end.key) {
                try takeMade(end)
            } else {
                lost.clearUp(told: end.key)
            }
        }
        lost.clearUp()
        worked += stopped()
        unsent.add(worked)
        for step in unbegun.takeBehind() { try begin(step) }
        try beginNext()
        if ahead.areLate {
            ahead.areLong()
            try handBack(ahead.take(ahead.count))
        }
        try send()
        noteIdle()
    }

    private func noteIdle() { if isIdle, idleSince == nil { idleSince = clock.uptime } }

    /// Hands in what has ended; where there is more to run, not before there is enough of it.
    private func send() throws {
        guard !unsent.steps.isEmpty, ahead.count == 0 || unsent.areDue else { return }
        while !unsent.steps.isEmpty {
            let ended = unsent.batch
            let refused = Set(try seat.end(ended))
            unsent.removeFirst(ended.count)
            for (place, step) in ended.enumerated() { tell(.ended(step, isRefused: refused.contains(place))) }
        }
        if isIdle { idleSince = clock.uptime }
    }

    /// The program has cancelled a task of its own: the attempt has failed by that, once its body is over.
    private func takeCancelled(_ end: BodyEnd) throws {
        // Of an attempt that has begun since it says nothing.
        guard end.run.part(end.place).workflow.isCancelled(end.place.number) else { return }
        if running[end.key] == nil, unbegun.isMade(end.key) { try takeMade(end) }
        guard let step = running[end.key], !step.isStopping else { return }
        running.end(step, as: step.worked(.failed(end.failure), ended: end.date))
    }

    /// A result was made here for others, which begin by that.
    private func takeMade(_ end: BodyEnd) throws {
        end.putBack()
        try beginWaiting(for: end)
        guard let steps = unbegun.take(waitingFor: end.key), !steps.isEmpty else { return }
        _ = try seat.end(steps.map { $0.worked(.failed(end.failure), ended: end.date) })
    }

    /// Begins those that have waited for a result, if a body has made it.
    private func beginWaiting(for end: BodyEnd) throws {
        guard case .finished(let value) = end.entry.kind, let steps = unbegun.take(waitingFor: end.key)
        else { return }
        end.run.note(value, of: end.place)
        for step in steps { try begin(step) }
    }

    /// Those that were told to stop, and whose bodies are over.
    private func stopped() -> [WorkedStep] {
        running.steps.filter { $0.isStopping && !$0.isBodyLeft }.map { step in
            forget(step)
            return step.putBack(at: clock.now)
        }
    }

    // MARK: Staying alive

    /// Tells that it is alive, and hears what it is to stop; returns whether steps and runs may wait for it.
    func beat(asIdle: Bool) throws -> (areStepsWaiting: Bool, areRunsLeft: Bool) {
        defer { noteIdle() }
        guard let beat = try lease.beat(asIdle: asIdle) else {
            try joinAnew()
            return (true, true)
        }
        areRiskyWaiting = beat.areRiskyWaiting
        // Of what was claimed when the answer was lost it knows nothing.
        let known = ahead.ids.union(inSlots.map(\.id)).union(unsent.steps.map(\.claim.id))
        let unwanted =
            ahead.take { beat.stops.contains($0) }.map(\.id)
            + unbegun.take { beat.stops.contains($0.claim.id) }.map(\.claim.id)
            + beat.held.subtracting(known)
        if !unwanted.isEmpty { try seat.handBack(unwanted) }
        _ = ahead.take { !beat.held.contains($0) }
        unbegun.take { !beat.held.contains($0.claim.id) }
        running.stop { beat.stops.contains($0) || !beat.held.contains($0) }
        return (beat.areWaiting || beat.areRiskyWaiting, beat.areRunsLeft)
    }

    private func listen() {
        listening = seat.onNews(news)
        tell(.joined(name: WorkerRecord.name(profile, seat.number)))
    }

    /// It was taken for dead: what it had in hand is others' by now.
    private func joinAnew() throws {
        running.stop { _ in true }
        // Nobody tells of the ends of those: what waits for one waits for nothing that comes.
        let steps = running.steps
        for step in steps { forget(step) }
        lost.add(steps)
        _ = ahead.take(ahead.count)
        unbegun.take { _ in true }
        unsent.removeAll()
        listening?.cancel()
        let now = clock.uptime
        seat = try store.join(profile)
        lease.restart(with: seat, since: now)
        tell(.lost)
        listen()
    }
}
