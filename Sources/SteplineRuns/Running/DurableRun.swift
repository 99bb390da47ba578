import Foundation
import SteplineSupport
import SteplineWorkflow

/// An execution of a workflow in a store, from opening to ending.
///
/// `run()` is called once, on a Swift task. All store calls happen on other threads, through `Blocking`.
///
/// 1. Check the key, the workflow and its graph. Nothing is stored if a check fails.
/// 2. Open the run; wait while another owner is alive, if the caller wants that.
/// 3. Read the stored steps into a `RunPlan`, and write the changes that the plan implies.
/// 4. Restore all tasks, innermost workflow first. From here on `RunJournal` receives all events.
/// 5. Receive stored signals, then poll for new ones each second.
/// 6. Wait for the workflow, flush the `RunWriter`, write the ending, and remove runs whose retention is over.
///
/// An error between 2 and 6 closes the run without an ending: the run can be resumed. Cancellation of the waiting Swift
/// task is an interruption too, also after failures of steps. Begin reading with `RunPlan` (what to do again) and
/// `RunWriter` (how changes become durable).
final class DurableRun: Sendable {
    private let workflow: Workflow
    private let store: any RunStore
    private let id: RunID
    private let retryingFailures: Bool
    private let ifInProgress: RunInProgress
    private let input: Data?
    private let place: RunPlace
    /// Whether a run that has ended is left as it is.
    private let skipsEnded: Bool
    private let opened: @Sendable (OpenedRun) -> Void

    init(
        of workflow: Workflow, in store: any RunStore, key: String, retryingFailures: Bool,
        ifInProgress: RunInProgress = .fail, input: Data? = nil, place: RunPlace = .process,
        skippingEnded: Bool = false, opened: @escaping @Sendable (OpenedRun) -> Void = { _ in }
    ) {
        self.workflow = workflow
        self.store = store
        self.retryingFailures = retryingFailures
        self.ifInProgress = ifInProgress
        self.input = input
        self.place = place
        skipsEnded = skippingEnded || place == .worker
        self.opened = opened
        id = RunID(workflow.name, key: key)
    }

    private var clock: any StepClock { workflow.options.clock }

    func run() async throws -> DurableReport {
        try Task.checkCancellation()
        let graph = try RunGraph(checking: workflow, for: id)
        let owner = RunOwner(since: clock.now)
        let run = try await open(as: owner)
        do {
            return try await self.run(graph, as: owner, run)
        } catch {
            // Each workflow and its journal refer to each other: break the cycle.
            for part in graph.parts { part.endJournal() }
            run.close()
            throw error
        }
    }

    private func open(as owner: RunOwner) async throws -> any OpenRun {
        while true {
            do {
                return try await Blocking.call {
                    try self.store.open(self.id, input: self.input, as: owner, at: owner.since)
                }
            } catch let error as RunStoreError where error.code == .inProgress && ifInProgress == .wait {
                // The store has no notification for the death of an owner: poll.
                try await clock.sleep(for: .seconds(1))
            }
        }
    }

    private func run(_ graph: RunGraph, as owner: RunOwner, _ run: any OpenRun) async throws -> DurableReport
    {
        // Another process opened this run between the query and here, and has already ended it.
        if skipsEnded, run.record.ending != nil {
            throw RunStoreError.ownershipLost(id, store: store.name)
        }
        try run.record.checkCancellation(retryingFailures: retryingFailures)
        let (plan, isPaused) = try await Blocking.call {
            let plan = try self.plan(graph, of: run)
            // Write the plan before any body starts: a crash during the run must count as an interruption.
            _ = try run.write(plan.changes(token: owner.token, at: owner.since))
            return (plan, try self.store.isPaused(self.id))
        }
        opened(
            OpenedRun(
                id: id, isNew: run.record.openings == 1, kept: plan.restored, again: plan.again,
                gone: plan.gone, isPaused: isPaused))
        let writer = RunWriter(
            run, faults: workflow.faults,
            send: { [store, id, clock] in _ = try store.send($0, to: id, at: clock.now) },
            failed: { [workflow] in workflow.wasNotKept([]) })
        let signals = RunSignals(graph, of: id, in: store, writer, workflow)
        let cache = ResultCache(
            store, for: id.workflow, input: run.record.input, clock: clock)
        let offers = try await offers(run, plan, writer, signals)
        let elements = plan.keptElements { [store, id] in
            try store.results(of: $0, in: id)
        }
        try begin(graph, plan, owner, elements, cache, writer, signals, offers)
        try await signals.receive()
        signals.watch(by: clock)
        var outcome = await workflow.outcome()
        signals.end()
        // An outcome names a failure before a cancellation, but the interrupted steps must run in the next process.
        let reason = workflow.lastCancellation
        if case .failure = outcome, reason.isInterruption { outcome = .cancelled(reason) }
        // The start of the workflow forgets the reason of a cancellation that was delivered before it.
        if case .cancelled = outcome, let reason = signals.cancellation { outcome = .cancelled(reason) }
        // All ends must be stored before the offers are acknowledged and the journals detached.
        await writer.flush()
        await offers?.end()
        for part in graph.parts { part.endJournal() }
        // An outcome that isn't stored must not be reported.
        if let failure = writer.failure {
            try await Blocking.call { writer.release() }
            throw failure
        }
        return try await end(outcome, plan, writer, cache.taken, run)
    }

    /// Reads the stored steps and decides which steps to run again.
    private func plan(_ graph: RunGraph, of run: any OpenRun) throws -> RunPlan {
        let shared = run as? any SharedRun
        // A run in one process withdraws everything that an earlier owner has offered to workers.
        if place == .process {
            try shared?.leave(toWorkers: false)
            try shared?.takeAway(nil)
        }
        func make() throws -> RunPlan {
            try RunPlan(graph, of: StoredSteps(of: run, in: store), retryingFailures: retryingFailures)
        }
        let plan = try make()
        // A worker with older code must not overwrite or leave out steps of a newer program.
        if place == .worker { try plan.checkProgram(shared?.offers() ?? []) }
        guard place != .process, let shared, run.record.openings > 1 else { return plan }
        // Adopted offers must still match the program: attempt, version and links.
        let stale = try shared.offers().map(\.offer).filter { !plan.isStill($0) }.map(\.step)
        guard !stale.isEmpty else { return plan }
        try shared.takeAway(stale)
        // A worker may have stored a result between reading the steps and withdrawing its offer: plan again.
        return try make()
    }

    /// Returns the connection to workers; nil if the steps run in this process.
    private func offers(
        _ run: any OpenRun, _ plan: RunPlan, _ writer: RunWriter, _ signals: RunSignals
    ) async throws -> RunOffers? {
        guard place != .process else { return nil }
        guard let shared = run as? any SharedRun else {
            throw RunStoreError(
                .unsuitablePlace, store: store.name, "it is a store of one machine; workers require a server")
        }
        let offers = RunOffers(shared, store, writer, on: place, clock: clock)
        try await Blocking.call {
            try shared.leave(toWorkers: true)
            try offers.begin(plan) { [weak signals] in signals?.look() }
        }
        return offers
    }

    /// Restores the state of all tasks and attaches the journals.
    private func begin(
        _ graph: RunGraph, _ plan: RunPlan, _ owner: RunOwner, _ elements: KeptElements,
        _ cache: ResultCache, _ writer: RunWriter, _ signals: RunSignals, _ offers: RunOffers?
    ) throws {
        let kept = KeptResults(store, id, graph)
        // Inner workflows first: a subworkflow's task reads the state of its inner tasks.
        for (number, part) in graph.parts.enumerated().reversed() {
            let journal = RunJournal(
                part, of: id, writer, token: owner.token, clock: clock, interruptions: plan.interruptions,
                elements: elements, cache: cache, recomputed: plan.recomputed,
                offers: part.staysWithOwner ? nil : offers,
                signals: { signals.send($0) })
            let restored = plan.restored(number, now: owner.since, from: kept)
            let begins = part.begin(journal) {
                $0.begin(
                    $1, restoring: restored, isCareful: plan.wasInterrupted,
                    isRelaxed: workflow.options.isRelaxed)
            }
            guard begins else { throw DurableRunError.notFresh(id) }
        }
    }

    private func end(
        _ outcome: Outcome<RunReport>, _ plan: RunPlan, _ writer: RunWriter, _ taken: [String: RunID],
        _ run: any OpenRun
    ) async throws -> DurableReport {
        let ending = RunEnding(outcome)
        try await Blocking.call {
            guard let ending else {
                // An interruption of this process withdraws the run from workers. A leaving worker leaves it to the
                // others.
                if self.place != .worker { try (run as? any SharedRun)?.leave(toWorkers: false) }
                return run.close()
            }
            try self.workflow.faults.commitOnStage { try run.end(ending, at: self.clock.now) }
            self.store.forgetOld(at: self.clock.now)
        }
        let report = try outcome.get()
        return DurableReport(
            id: id, run: report, restored: plan.restored,
            executed: writer.executed.filter { taken[$0] == nil }, takenOver: taken,
            unreadable: plan.unreadable, gone: plan.gone)
    }
}

extension RunEnding {
    /// Creates the ending of a run; nil if the run was interrupted and has no ending.
    fileprivate init?(_ outcome: Outcome<RunReport>) {
        switch outcome {
        case .success: self = .finished
        case .cancelled(let reason) where reason.isInterruption: return nil
        case .cancelled(let reason): self = .cancelled(reason.description)
        case .failure(let error):
            self = (error as? WorkflowError)?.code == .incomplete ? .incomplete : .failed
        }
    }
}
