import Foundation
import SteplineSupport
import SteplineWorkflow

/// What a worker has in hand: its seat at the store, the runs that it has built, and the steps that it runs.
// Touched by the worker's one thread alone.
final class WorkerDesk {
    /// A body has ended.
    struct BodyEnd: Sendable {
        let run: WorkedRun
        let place: WorkedRun.Place
        let entry: JournalEntry
        let date: Date
    }

    /// A step that it runs.
    private struct Running {
        let claim: ClaimedStep
        let run: WorkedRun
        let place: WorkedRun.Place
        var began = Date()
        /// Whether it was told to stop, and only the end of its body is waited for.
        var isStopping = false

        var key: Key { Key(run: ObjectIdentifier(run), place: place) }
    }

    private struct Key: Hashable {
        let run: ObjectIdentifier
        let place: WorkedRun.Place
    }

    private struct Map: Hashable {
        let run: RunID
        let task: String
    }

    /// How many runs it keeps built.
    private static let most = 64

    private let store: any SharedRunStore
    private let profile: WorkerProfile
    private let workflows: WorkedWorkflows
    private let tell: (WorkerNews) -> Void
    private let news: @Sendable () -> Void
    private let ended: @Sendable (BodyEnd) -> Void

    private var seat: any WorkerSeat
    private var listening: Subscription?
    private var runs: [RunID: WorkedRun] = [:]
    private var running: [Int: Running] = [:]
    private var places: [Key: Int] = [:]
    /// Steps that wait for a result which is made here first, by the place of that.
    private var waiting: [Key: [Running]] = [:]
    /// Maps whose lists have been looked at since steps were taken last.
    private var fresh: Set<Map> = []
    private var isAlone = false
    private var areRiskyWaiting = false
    /// Since when it has had nothing to do; nil while it has.
    private(set) var idleSince: ContinuousClock.Instant? = .now

    init(
        _ store: any SharedRunStore, _ workflow: String, _ settings: WorkerSettings,
        _ workflows: WorkedWorkflows, _ tell: @escaping (WorkerNews) -> Void,
        news: @escaping @Sendable () -> Void, ended: @escaping @Sendable (BodyEnd) -> Void
    ) throws {
        self.store = store
        self.workflows = workflows
        self.tell = tell
        self.news = news
        self.ended = ended
        profile = WorkerProfile(workflow: workflow, slots: max(1, settings.slots))
        seat = try store.join(profile)
        listening = seat.onNews(news)
        tell(.joined(name: WorkerRecord.name(profile, seat.number)))
    }

    /// After what time without a beat all that it has in hand goes to others.
    var lease: Duration { seat.lease }

    /// Whether it has nothing in hand.
    var isIdle: Bool { running.isEmpty && waiting.isEmpty }

    /// Whether bodies are waited for that were told to stop.
    var isStopping: Bool { running.values.contains(where: \.isStopping) }

    /// Leaves; what it still has in hand is given back, and told to stop.
    func close() {
        listening?.cancel()
        stopAll()
        seat.leave()
    }

    // MARK: Taking steps

    /// Takes as many steps as there is room for.
    func claim(looks: Bool) throws {
        guard looks else { return }
        while true {
            let inHand = running.count + waiting.values.reduce(0) { $0 + $1.count }
            let free = isAlone ? 0 : profile.slots - inHand
            guard free > 0 else { return }
            var claims: [ClaimedStep] = []
            // One that may end the process is run when nothing else is.
            if areRiskyWaiting {
                guard isIdle else { return }
                claims = try seat.claim(1, risky: true)
                isAlone = !claims.isEmpty
                areRiskyWaiting = isAlone
            }
            if claims.isEmpty { claims = try seat.claim(free, risky: false) }
            guard !claims.isEmpty else {
                if isIdle, idleSince == nil { idleSince = .now }
                return
            }
            idleSince = nil
            fresh = []
            for claim in claims { try begin(claim) }
        }
    }

    private func begin(_ claim: ClaimedStep) throws {
        do {
            let run = try run(of: claim)
            guard let place = try run.place(of: claim.offer) else {
                return try refuse(claim, "the program has no such task of that version")
            }
            tell(.began(claim))
            try begin(Running(claim: claim, run: run, place: place))
        } catch let error as RunStoreError where error.code != .resultDamaged {
            throw error
        } catch {
            try refuse(claim, ErrorText.line(error))
        }
    }

    private func begin(_ step: Running) throws {
        if let missing = step.run.missing(before: step.place) {
            let key = Key(run: ObjectIdentifier(step.run), place: missing)
            waiting[key, default: []].append(step)
            if waiting[key]?.count == 1 { _ = try step.run.run(missing, attempt: 1, failures: 0) }
            return
        }
        // Its end may come before the run returns.
        running[step.claim.id] = step
        places[step.key] = step.claim.id
        let offer = step.claim.offer
        guard try step.run.run(step.place, attempt: offer.attempt, failures: offer.failures) else {
            forget(step)
            try seat.handBack([step.claim.id])
            return tell(.handedBack(step.claim, reason: "its last body isn't over"))
        }
    }

    private func forget(_ step: Running) {
        running[step.claim.id] = nil
        if places[step.key] == step.claim.id { places[step.key] = nil }
        if isIdle { isAlone = false }
    }

    /// The run of a claim as it is built here.
    private func run(of claim: ClaimedStep) throws -> WorkedRun {
        let isNew = fresh.insert(Map(run: claim.run, task: claim.offer.task)).inserted
        if let run = runs[claim.run], run.number == claim.runNumber,
            try !isNew || !run.isStale(claim.offer)
        {
            return run
        }
        guard let record = try store.run(claim.run) else { throw RunsError("the run is forgotten") }
        let run = WorkedRun(
            claim.run, number: claim.runNumber, try workflows.make(record, isOwned: false), store,
            hasVersions: workflows.haveVersions)
        try run.begin { [ended] in ended(BodyEnd(run: $0, place: $1, entry: $2, date: Date())) }
        _ = try run.isStale(claim.offer)
        if runs.count >= Self.most {
            let used = Set(running.values.map(\.claim.run))
            runs = runs.filter { used.contains($0.key) }
        }
        runs[claim.run] = run
        return run
    }

    private func refuse(_ claim: ClaimedStep, _ reason: String) throws {
        if isIdle { isAlone = false }
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
                forget(step)
                worked.append(
                    WorkedStep(
                        step.claim, end.entry, step.run.facts(step.place), began: step.began, ended: end.date)
                )
                end.run.part(end.place).workflow.putBack([end.place.number])
            }
        }
        worked += stopped()
        guard !worked.isEmpty else { return }
        let refused = Set(try seat.end(worked))
        for (place, step) in worked.enumerated() { tell(.ended(step, isRefused: refused.contains(place))) }
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
        let worked = steps.map { step in
            WorkedStep(
                claim: step.claim, outcome: .failed(failure), result: nil, began: step.began, ended: end.date)
        }
        _ = try seat.end(worked)
    }

    /// Those that were told to stop, and whose bodies are over.
    private func stopped() -> [WorkedStep] {
        running.values.filter(\.isStopping).compactMap { step in
            let workflow = step.run.part(step.place).workflow
            guard !workflow.hasBody(step.place.number) else { return nil }
            forget(step)
            workflow.putBack([step.place.number])
            return WorkedStep(
                claim: step.claim, outcome: .stopped, result: nil, began: step.began, ended: Date())
        }
    }

    // MARK: Staying alive

    /// Tells that it is alive, and hears what it is to stop.
    func beat() throws {
        guard let beat = try seat.beat() else { return try joinAnew() }
        areRiskyWaiting = beat.areRiskyWaiting
        // Of what was claimed when the answer was lost it knows nothing.
        let known = Set(running.keys).union(waiting.values.joined().map(\.claim.id))
        let unknown = beat.held.subtracting(known)
        if !unknown.isEmpty { try seat.handBack(Array(unknown)) }
        for (id, step) in running where !step.isStopping {
            if beat.stops.contains(id) || !beat.held.contains(id) { stop(step) }
        }
    }

    private func stop(_ step: Running) {
        running[step.claim.id]?.isStopping = true
        step.run.part(step.place).workflow.stopAlone(
            step.place.number, CancellationReason(.requested, "its run wants it no longer"))
    }

    private func stopAll() { for step in running.values where !step.isStopping { stop(step) } }

    /// It was taken for dead: what it had in hand is others' by now.
    private func joinAnew() throws {
        stopAll()
        listening?.cancel()
        seat = try store.join(profile)
        listening = seat.onNews(news)
        tell(.lost)
        tell(.joined(name: WorkerRecord.name(profile, seat.number)))
    }
}
