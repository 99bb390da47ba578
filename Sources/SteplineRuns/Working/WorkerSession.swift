import Foundation
import SteplineSupport
import SteplineWorkflow

/// The state of a worker: its membership at the store, the built runs, and its steps. `StepWorker` has the overview.
// Not thread-safe: only the worker's own thread uses the session.
final class WorkerSession {
    /// The pause before another try at a task that could not start, and the longest wait of a step that must run alone
    /// for an idle worker.
    private static let patience = Duration.seconds(60)

    private let store: any SharedRunStore
    private let profile: WorkerProfile
    private let clock: any StepClock
    private let tell: (WorkerNews) -> Void
    private let news: @Sendable () -> Void
    private let runs: BuiltRuns

    private var membership: any WorkerMembership
    private var listening: Subscription?
    private var running = RunningSteps()
    private var unbegun = UnbegunSteps()
    private var lost = LostBodies()
    private var ahead: StepsAhead
    private var unsent: UnsentEnds
    let lease: WorkerLease
    let signals: UnsentSignals
    private var areRiskyWaiting = false
    /// The uptime since which heartbeats report risky steps.
    private var riskySince: Duration?
    /// Refused steps that may be able to start later, each with the uptime of the next try.
    private var passed: [(claim: ClaimedStep, end: Duration)] = []
    /// The uptime since which the worker has been idle; nil while it has work.
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
        // Read the clock before joining: the lease must not end later here than in the store.
        let now = clock.uptime
        membership = try store.join(profile)
        (lease, idleSince) = (WorkerLease(of: membership, since: now, clock: clock), now)
        listen()
    }

    /// Whether it has nothing in hand.
    var isIdle: Bool {
        slotsInUse == 0 && ahead.count == 0 && unsent.steps.isEmpty && !signals.isRestLeft
    }

    /// The time until the worker's thread must run again without an event; nil for any time.
    var rest: Duration? {
        let isStopping = lost.count > 0 || running.steps.contains(where: \.isStopping)
        // No event reports when a stopped body returns: poll.
        if unbegun.mustBeTried || isStopping { return .milliseconds(20) }
        let rest = unsent.steps.isEmpty ? ahead.rest ?? signals.rest : UnsentEnds.gathering
        let retry = unbegun.nextTry.map { max($0 - clock.uptime, .zero) }
        return [rest, retry].compactMap(\.self).min()
    }

    private var slotsInUse: Int { running.count + lost.count + unbegun.count }

    private var inSlots: [ClaimedStep] { running.steps.map(\.claim) + unbegun.steps.map(\.claim) }

    /// Leaves the store; running bodies are asked to stop, and their steps return to the queue.
    func close() {
        listening?.cancel()
        lease.close()
        running.stop { _ in true }
        for step in running.steps { tell(.returned(step.claim, reason: "its worker leaves")) }
        // After the stop requests: from here on, other workers may claim the steps.
        membership.leave()
    }

    // MARK: Taking steps

    /// Claims as many steps as there is room for.
    func claim() throws {
        // Shorten an idle lease first: claims must return to the queue after one normal lease.
        if lease.isLong { _ = try beat(asIdle: false) }
        let now = clock.uptime
        for (claim, end) in passed where end <= now { try membership.accept(claim) }
        passed.removeAll { $0.end <= now }
        while true {
            // A claimed risky step prevents all further claims.
            let isAlone = ahead.isRisky || inSlots.contains(where: \.offer.isRisky)
            let free = isAlone ? 0 : profile.slots + ahead.room - slotsInUse - ahead.count
            // Save the call for a few steps while enough are prefetched.
            guard free > ahead.room / 2 else { return }
            var claims: [ClaimedStep] = []
            // A step that may end the process runs alone: only an idle worker claims it.
            if areRiskyWaiting, isIdle {
                claims = try membership.claim(1, risky: true)
                // After an empty answer, don't ask again before a heartbeat reports another one.
                areRiskyWaiting = !claims.isEmpty
            } else if areRiskyWaiting, let riskySince, now - riskySince >= Self.patience {
                // No worker was idle for too long: this one becomes idle.
                return
            }
            // No risky step waits, another worker has claimed the last one, or this worker is busy.
            if claims.isEmpty { claims = try membership.claim(free, risky: false) }
            guard !claims.isEmpty else { return noteIdle() }
            idleSince = nil
            runs.age()
            ahead.add(claims)
            try beginNext()
        }
    }

    /// Starts prefetched steps in free slots, but none after the lease has expired: others may have the claims.
    private func beginNext() throws {
        while ahead.count > 0, slotsInUse < profile.slots, !lease.isOver {
            let claims = ahead.take(profile.slots - slotsInUse)
            try runs.reading(for: claims) { for claim in claims { try begin(claim) } }
        }
    }

    /// Returns all steps to the queue that weren't started.
    func handBackUnbegun() throws {
        try handBack(ahead.take(ahead.count) + unbegun.take { _ in true }.map(\.claim))
    }

    private func handBack(_ claims: [ClaimedStep]) throws {
        if !claims.isEmpty { try membership.handBack(claims.map(\.id)) }
    }

    private func begin(_ claim: ClaimedStep) throws {
        try refusing(claim) {
            let run = try runs.run(of: claim) { Set(running.steps.map(\.claim.run)) }
            guard let place = try run.place(of: claim.offer) else {
                throw TaskMissing()
            }
            try begin(Running(claim: claim, run: run, place: place, began: clock.now))
        }
    }

    private func begin(_ step: Running) throws {
        // After expiry the step stays unstarted: the next heartbeat shows whether the claim is lost.
        if !lease.isOver { try refusing(step.claim) { try run(step) } }
    }

    private func run(_ step: Running) throws {
        if let missing = try step.run.missing(before: step.place) { return try begin(step, after: missing) }
        // The task is busy here: with a body whose claim is lost, or with a result for other steps.
        guard !lost.contains(step.key), !unbegun.isMade(step.key) else { return unbegun.add(step) }
        let offer = step.claim.offer
        guard try step.run.run(step.place, attempt: offer.attempt, failures: offer.failures) else {
            return unbegun.add(step)
        }
        // The body may have ended by now. This thread takes its end from the inbox later.
        running.add(step)
        tell(.began(step.claim))
    }

    /// Lets a step wait for a result that this worker computes, in an extra body or in a step of its own.
    private func begin(_ step: Running, after missing: WorkedRun.Place) throws {
        let key = Key(run: ObjectIdentifier(step.run), place: missing)
        if !unbegun.isMade(key), running[key] == nil {
            // An earlier body of that task still runs, and its end may not be reported.
            guard try step.run.make(missing) else { return unbegun.add(step) }
        }
        unbegun.add(step, waitingFor: key)
    }

    private func forget(_ step: Running) {
        if running.remove(step) { unbegun.isNotMade(step.key) }
    }

    private struct TaskMissing: Error, CustomStringConvertible {
        let description = "the program has no such task of that version"
    }

    /// Refuses a step that can't start here, or fails it if its input is damaged; other store errors end the worker.
    private func refusing(_ claim: ClaimedStep, _ begin: () throws -> Void) throws {
        do { try begin() } catch let error as RunStoreError {
            guard error.code == .resultDamaged else { throw error }
            // All workers read the same bytes. Retrying the failed step runs the step of the damaged result too.
            let (now, failure) = (clock.now, StepFailure(error, subject: claim.offer.step))
            let step = WorkedStep(
                claim: claim, outcome: .failed(failure), result: nil, began: now, ended: now)
            let isRefused = try !membership.end([step]).isEmpty
            tell(.ended(step, isRefused: isRefused))
        } catch {
            try membership.refuse(claim)
            // Another error than the missing task may be temporary, such as that of a command for secrets.
            if !(error is TaskMissing) { passed.append((claim, clock.uptime + Self.patience)) }
            tell(.unknown(claim, reason: ErrorText.line(error)))
        }
    }

    // MARK: Ends

    /// Processes the ends of bodies.
    func take(_ ends: [BodyEnd]) throws {
        var worked: [WorkedStep] = []
        for end in ends {
            if end.entry.isCancellation {
                try takeCancelled(end)
            } else if let step = running[end.key] {
                guard Int(end.entry.attempt) == step.claim.offer.attempt else { continue }  // a stale attempt
                ahead.note(end.date.timeIntervalSince(step.began))
                let ended = step.worked(end.outcome, end.result, ended: end.date)
                end.putBack()
                if case .retries = ended.outcome, step.isBodyLeft {
                    running.end(step, as: ended)  // the next attempt must not overlap
                } else {
                    try beginWaiting(for: end, attempt: step.claim.offer.attempt)
                    forget(step)
                    worked.append(ended)
                }
            } else if unbegun.isMade(end.key) {
                try takeMade(end)
            } else {
                lost.clearUp(notified: end.key)  // the claim is lost: drop the result
            }
        }
        lost.clearUp()
        worked += stopped()
        unsent.add(worked)
        for step in unbegun.takeRetried(at: clock.uptime) { try begin(step) }
        try beginNext()
        if ahead.areLate {
            ahead.areLong()
            try handBack(ahead.take(ahead.count))
        }
        try send()
        noteIdle()
    }

    private func noteIdle() { if isIdle, idleSince == nil { idleSince = clock.uptime } }

    /// Sends ended steps; waits for more of them while prefetched steps remain.
    private func send() throws {
        guard !unsent.steps.isEmpty, ahead.count == 0 || unsent.areDue else { return }
        while !unsent.steps.isEmpty {
            let ended = unsent.batch
            let refused = Set(try membership.end(ended))
            unsent.removeFirst(ended.count)
            for (place, step) in ended.enumerated() { tell(.ended(step, isRefused: refused.contains(place))) }
        }
        if isIdle { idleSince = clock.uptime }
    }

    /// Handles a task that the program cancelled itself: the attempt fails once its body has returned.
    private func takeCancelled(_ end: BodyEnd) throws {
        // The cancellation belongs to an attempt before the current one.
        guard end.run.part(end.place).workflow.isCancelled(end.place.number) else { return }
        // The steps that wait for the task's result fail with its cancellation.
        if running[end.key] == nil, unbegun.isMade(end.key) { try takeMade(end) }
        guard let step = running[end.key], !step.isStopping else { return }
        running.end(step, as: step.worked(.failed(end.failure), ended: end.date))
    }

    /// Handles a result that was computed for other steps, and starts these.
    private func takeMade(_ end: BodyEnd) throws {
        end.putBack()
        try beginWaiting(for: end, attempt: nil)
        // The task's policy allows another try: its steps wait for the back-off.
        if case .retries(_, let wait) = end.entry.kind {
            end.run.noteFailure(of: end.place, isFinal: false)
            return unbegun.isNotMade(end.key, until: clock.uptime + wait)
        }
        // A finished body has no waiting steps left. After a failure they all fail.
        end.run.noteFailure(of: end.place, isFinal: true)
        guard let steps = unbegun.take(waitingFor: end.key), !steps.isEmpty else { return }
        _ = try membership.end(steps.map { $0.worked(.failed(end.failure), ended: end.date) })
    }

    /// Starts the steps that wait for a computed result; `attempt` is nil if no step of its own computed it.
    private func beginWaiting(for end: BodyEnd, attempt: Int?) throws {
        guard case .finished(let value) = end.entry.kind, let steps = unbegun.take(waitingFor: end.key)
        else { return }
        end.run.note(value, of: end.place, attempt: attempt)
        for step in steps { try begin(step) }
    }

    /// Removes and returns the stopped steps whose bodies have returned.
    private func stopped() -> [WorkedStep] {
        running.steps.filter { $0.isStopping && !$0.isBodyLeft }.map { step in
            forget(step)
            return step.putBack(at: clock.now)
        }
    }

    // MARK: Staying alive

    /// Sends a heartbeat and processes stops; returns whether steps and runs may be waiting.
    func beat(asIdle: Bool) throws -> (areStepsWaiting: Bool, areRunsLeft: Bool) {
        defer { noteIdle() }
        guard let beat = try lease.beat(asIdle: asIdle) else {
            try joinAnew()
            return (true, true)
        }
        areRiskyWaiting = beat.areRiskyWaiting
        riskySince = areRiskyWaiting ? riskySince ?? clock.uptime : nil
        // The answer to an earlier claim may have been lost: return claims that this worker doesn't know.
        let known = ahead.ids.union(inSlots.map(\.id)).union(unsent.steps.map(\.claim.id))
        let unwanted =
            ahead.take { beat.stops.contains($0) }.map(\.id)
            + unbegun.take { beat.stops.contains($0.claim.id) }.map(\.claim.id)
            + beat.held.subtracting(known)
        if !unwanted.isEmpty { try membership.handBack(unwanted) }
        // A sweep has freed these claims: drop them without a call, since other workers may have them.
        _ = ahead.take { !beat.held.contains($0) }
        unbegun.take { !beat.held.contains($0.claim.id) }
        running.stop { beat.stops.contains($0) || !beat.held.contains($0) }  // stopped or lost
        return (beat.areWaiting || beat.areRiskyWaiting, beat.areRunsLeft)
    }

    private func listen() {
        listening = membership.onNews(news)
        tell(.joined(name: WorkerRecord.name(profile, membership.number)))
    }

    /// Joins again after a sweep has removed the worker: all claims are lost.
    private func joinAnew() throws {
        running.stop { _ in true }
        // Ends of lost bodies are dropped, so no step may wait for the result of one.
        let steps = running.steps
        for step in steps { forget(step) }
        lost.add(steps)
        _ = ahead.take(ahead.count)
        unbegun.take { _ in true }
        // The store would refuse these ends: their claims are lost.
        unsent.removeAll()
        listening?.cancel()
        // Before joining, as in `init`.
        let now = clock.uptime
        membership = try store.join(profile)
        // The new membership has refused nothing.
        passed = []
        lease.restart(with: membership, since: now)
        tell(.lost)
        listen()
    }
}
