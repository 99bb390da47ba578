import Foundation
import SteplineSupport
import SteplineWorkflow

/// What a worker has in hand: its seat at the store, the runs that it has built, and the steps that it runs.
// Touched by the worker's one thread alone.
final class WorkerDesk {
    private let store: any SharedRunStore
    private let profile: WorkerProfile
    private let tell: (WorkerNews) -> Void
    private let news: @Sendable () -> Void
    private let runs: BuiltRuns

    private var seat: any WorkerSeat
    private var listening: Subscription?
    private var running: [Int: Running] = [:]
    private var places: [Key: Int] = [:]
    /// Steps that wait for a result which is made here first, by the place of that.
    private var waiting: [Key: [Running]] = [:]
    /// Steps that wait for an earlier body of theirs, which isn't over here.
    private var behind: [Running] = []
    private var lost = LostBodies()
    private var ahead: StepsAhead
    private var unsent = UnsentEnds()
    private var lease: WorkerLease
    private var areRiskyWaiting = false
    /// Since when it has had nothing to do; nil while it has.
    private(set) var idleSince: ContinuousClock.Instant? = .now

    init(
        _ store: any SharedRunStore, _ workflow: String, _ settings: WorkerSettings,
        _ workflows: WorkedWorkflows, _ tell: @escaping (WorkerNews) -> Void,
        news: @escaping @Sendable () -> Void, ended: @escaping @Sendable (BodyEnd) -> Void
    ) throws {
        self.store = store
        self.tell = tell
        self.news = news
        runs = BuiltRuns(store, workflows, ended: ended)
        profile = WorkerProfile(workflow: workflow, slots: max(1, settings.slots))
        ahead = StepsAhead(slots: profile.slots)
        let now = ContinuousClock.now
        seat = try store.join(profile)
        lease = WorkerLease(length: seat.lease)
        takeSeat(since: now)
    }

    /// How long after a beat the next is due, also to see whether runs that are left to workers have lost their owners.
    func pause(areRunsLeft: Bool) -> Duration { lease.pause(isIdle: isIdle && !areRunsLeft) }

    /// Whether it has nothing in hand.
    var isIdle: Bool { slotsInUse == 0 && ahead.count == 0 && unsent.steps.isEmpty }

    /// For how long it can be left alone as long as nothing happens; nil if for any time.
    var rest: Duration? {
        let isStopping = lost.count > 0 || running.values.contains(where: \.isStopping)
        // Nobody tells when a body is over that was told to stop.
        if !behind.isEmpty || isStopping { return .milliseconds(20) }
        return unsent.steps.isEmpty ? ahead.rest : UnsentEnds.gathering
    }

    private var slotsInUse: Int {
        running.count + lost.count + behind.count + waiting.values.reduce(0) { $0 + $1.count }
    }

    private var inSlots: [ClaimedStep] {
        running.values.map(\.claim) + behind.map(\.claim) + waiting.values.joined().map(\.claim)
    }

    private var isRunningAlone: Bool { ahead.isRisky || inSlots.contains(where: \.offer.isRisky) }

    /// Leaves; what it still has in hand is given back, and told to stop.
    func close() {
        listening?.cancel()
        stopAll()
        for step in running.values { tell(.handedBack(step.claim, reason: "its worker leaves")) }
        seat.leave()
    }

    // MARK: Taking steps

    /// Takes as many steps as there is room for.
    func claim() throws {
        // What it takes goes to others after a lease.
        if lease.isLong { _ = try beat(asIdle: false) }
        while true {
            let free = isRunningAlone ? 0 : profile.slots + ahead.room - slotsInUse - ahead.count
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
            guard !claims.isEmpty else {
                if isIdle, idleSince == nil { idleSince = .now }
                return
            }
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
        try handBack(ahead.take(ahead.count) + behind.map(\.claim))
        behind = []
    }

    private func handBack(_ claims: [ClaimedStep]) throws {
        if !claims.isEmpty { try seat.handBack(claims.map(\.id)) }
    }

    /// Begins those whose earlier body is over by now.
    private func beginBehind() throws {
        let steps = behind
        behind = []
        for step in steps { try begin(step) }
    }

    private func begin(_ claim: ClaimedStep) throws {
        do {
            let run = try runs.run(of: claim) { Set(running.values.map(\.claim.run)) }
            guard let place = try run.place(of: claim.offer) else {
                return try refuse(claim, "the program has no such task of that version")
            }
            try begin(Running(claim: claim, run: run, place: place))
        } catch let error as RunStoreError where error.code != .resultDamaged {
            throw error
        } catch {
            try refuse(claim, ErrorText.line(error))
        }
    }

    private func begin(_ step: Running) throws {
        // What isn't begun, as others may have it, is missed at the next beat, and given back.
        guard !lease.isOver else { return }
        if let missing = step.run.missing(before: step.place) {
            let key = Key(run: ObjectIdentifier(step.run), place: missing)
            waiting[key, default: []].append(step)
            if waiting[key]?.count == 1 { _ = try step.run.run(missing, attempt: 1, failures: 0) }
            return
        }
        guard !lost.contains(step.key) else { return behind.append(step) }
        // Its end may come before the run returns.
        running[step.claim.id] = step
        places[step.key] = step.claim.id
        let offer = step.claim.offer
        guard try step.run.run(step.place, attempt: offer.attempt, failures: offer.failures) else {
            forget(step)
            return behind.append(step)
        }
        tell(.began(step.claim))
    }

    private func forget(_ step: Running) {
        running[step.claim.id] = nil
        if places[step.key] == step.claim.id { places[step.key] = nil }
    }

    private func refuse(_ claim: ClaimedStep, _ reason: String) throws {
        try seat.refuse(claim)
        tell(.unknown(claim, reason: reason))
    }

    // MARK: Ends

    /// Hands in what has ended.
    func take(_ ends: [BodyEnd]) throws {
        var worked: [WorkedStep] = []
        for end in ends {
            let key = Key(run: ObjectIdentifier(end.run), place: end.place)
            if let steps = waiting.removeValue(forKey: key) {
                try takeMade(end, for: steps)
            } else if let step = places[key].flatMap({ running[$0] }) {
                guard Int(end.entry.attempt) == step.claim.offer.attempt else { continue }
                ahead.note(end.date.timeIntervalSince(step.began))
                let ended = WorkedStep(
                    step.claim, end.entry, step.run.facts(step.place), began: step.began, ended: end.date)
                end.run.part(end.place).workflow.putBack([end.place.number])
                if case .retries = ended.outcome, step.isBodyLeft {
                    running[step.claim.id]?.end = ended
                } else {
                    forget(step)
                    worked.append(ended)
                }
            } else {
                lost.clearUp(told: key)
            }
        }
        lost.clearUp()
        worked += stopped()
        unsent.add(worked)
        try beginBehind()
        try beginNext()
        if ahead.areLate() {
            ahead.areLong()
            try handBack(ahead.take(ahead.count))
        }
        try send()
    }

    /// Hands in what has ended; where there is more to run, not before there is enough of it.
    private func send() throws {
        guard !unsent.steps.isEmpty, ahead.count == 0 || unsent.areDue() else { return }
        let ended = unsent.steps
        let refused = Set(try seat.end(ended))
        unsent.removeAll()
        for (place, step) in ended.enumerated() { tell(.ended(step, isRefused: refused.contains(place))) }
        if isIdle { idleSince = .now }
    }

    /// A result was made here for others, which begin by that.
    private func takeMade(_ end: BodyEnd, for steps: [Running]) throws {
        end.run.part(end.place).workflow.putBack([end.place.number])
        if case .finished(let value) = end.entry.kind {
            end.run.note(value, of: end.place)
            for step in steps { try begin(step) }
            return
        }
        let failure = StepFailure(end.entry.error, subject: end.run.facts(end.place).name)
        _ = try seat.end(steps.map { $0.worked(.failed(failure), ended: end.date) })
    }

    /// Those that were told to stop, and whose bodies are over.
    private func stopped() -> [WorkedStep] {
        running.values.filter { $0.isStopping && !$0.isBodyLeft }.map { step in
            forget(step)
            step.run.part(step.place).workflow.putBack([step.place.number])
            return step.end ?? step.worked(.stopped, ended: Date())
        }
    }

    // MARK: Staying alive

    /// Tells that it is alive, and hears what it is to stop; returns whether steps and runs may wait for it.
    func beat(asIdle: Bool) throws -> (areStepsWaiting: Bool, areRunsLeft: Bool) {
        let now = ContinuousClock.now
        guard let beat = try seat.beat(for: lease.length(asIdle: asIdle)) else {
            try joinAnew()
            return (true, true)
        }
        lease.renew(asIdle: asIdle, at: now)
        areRiskyWaiting = beat.areRiskyWaiting
        // Of what was claimed when the answer was lost it knows nothing.
        let known = ahead.ids.union(inSlots.map(\.id)).union(unsent.steps.map(\.claim.id))
        let unwanted =
            ahead.take { beat.stops.contains($0) }.map(\.id)
            + behind.map(\.claim.id).filter(beat.stops.contains) + beat.held.subtracting(known)
        if !unwanted.isEmpty { try seat.handBack(unwanted) }
        _ = ahead.take { !beat.held.contains($0) }
        behind.removeAll { beat.stops.contains($0.claim.id) || !beat.held.contains($0.claim.id) }
        for (id, step) in running where !step.isStopping {
            if beat.stops.contains(id) || !beat.held.contains(id) { stop(step) }
        }
        return (beat.areWaiting || beat.areRiskyWaiting, beat.areRunsLeft)
    }

    private func stop(_ step: Running) {
        running[step.claim.id]?.isToldToStop = true
        step.run.part(step.place).workflow.stopAlone(
            step.place.number, CancellationReason(.requested, "its run wants it no longer"))
    }

    private func stopAll() { for step in running.values where !step.isStopping { stop(step) } }

    private func takeSeat(since date: ContinuousClock.Instant) {
        lease.renew(asIdle: false, at: date)
        listening = seat.onNews(news)
        tell(.joined(name: WorkerRecord.name(profile, seat.number)))
    }

    /// It was taken for dead: what it had in hand is others' by now.
    private func joinAnew() throws {
        stopAll()
        lost.add(running.values)
        (running, places, behind) = ([:], [:], [])
        _ = ahead.take(ahead.count)
        // What is made for them is made to its end, and for nobody.
        waiting = waiting.mapValues { _ in [] }
        unsent.removeAll()
        listening?.cancel()
        let now = ContinuousClock.now
        seat = try store.join(profile)
        tell(.lost)
        takeSeat(since: now)
    }
}
