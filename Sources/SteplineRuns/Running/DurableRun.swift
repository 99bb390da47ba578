import Foundation
import SteplineSupport
import SteplineWorkflow

/// A workflow that is run in a store, from its opening to its end.
final class DurableRun: Sendable {
    private let workflow: Workflow
    private let store: any RunStore
    private let id: RunID
    private let retryingFailures: Bool
    private let ifInProgress: RunInProgress
    private let input: Data?
    private let place: RunPlace
    private let opened: @Sendable (OpenedRun) -> Void

    init(
        of workflow: Workflow, in store: any RunStore, key: String, retryingFailures: Bool,
        ifInProgress: RunInProgress = .fail, input: Data? = nil, place: RunPlace = .process,
        opened: @escaping @Sendable (OpenedRun) -> Void = { _ in }
    ) {
        self.workflow = workflow
        self.store = store
        self.retryingFailures = retryingFailures
        self.ifInProgress = ifInProgress
        self.input = input
        self.place = place
        self.opened = opened
        id = RunID(workflow.name, key: key)
    }

    private var clock: any StepClock { workflow.options.clock }

    func run() async throws -> DurableReport {
        try Task.checkCancellation()
        guard (1...1024).contains(id.key.utf8.count) else {
            throw DurableRunError(
                .invalidKey, id.workflow, "a key has 1 to 1,024 bytes, not \(id.key.utf8.count)")
        }
        guard workflow.isUntouched else { throw notFresh }
        let graph = RunGraph(workflow)
        let issues = workflow.check() + graph.issues
        if issues.contains(where: { $0.severity == .error }) {
            throw WorkflowError(checkFailedFor: workflow.name, issues.filter { $0.severity == .error })
        }
        let owner = RunOwner(since: clock.now)
        let run = try await open(as: owner)
        do {
            return try await self.run(graph, as: owner, run)
        } catch {
            for part in graph.parts { part.endJournal() }
            run.close()
            throw error
        }
    }

    private var notFresh: DurableRunError {
        DurableRunError(
            .notFresh, id.workflow,
            "it was run or changed before its run was open; make the workflow anew for each durable run")
    }

    private func open(as owner: RunOwner) async throws -> any OpenRun {
        while true {
            do {
                return try await Blocking.call {
                    try self.store.open(self.id, input: self.input, as: owner, at: owner.since)
                }
            } catch let error as RunStoreError where error.code == .inProgress && ifInProgress == .wait {
                try await clock.sleep(for: .seconds(1))
            }
        }
    }

    private func run(_ graph: RunGraph, as owner: RunOwner, _ run: any OpenRun) async throws -> DurableReport
    {
        // Workers take over what hasn't ended: another was quicker, and is through by now.
        if place == .worker, run.record.ending != nil {
            throw RunStoreError.ownershipLost(id, store: store.name)
        }
        if case .cancelled(let why)? = run.record.ending, !retryingFailures {
            throw DurableRunError(.cancelled, id.description, "the run was cancelled: \(why)")
        }
        let (plan, isPaused) = try await Blocking.call {
            let plan = try self.plan(graph, of: run)
            _ = try run.write(plan.changes(token: owner.token, at: owner.since))
            return (plan, try self.store.isPaused(self.id))
        }
        opened(
            OpenedRun(
                id: id, isNew: run.record.openings == 1, kept: plan.restored, again: plan.again,
                isPaused: isPaused))
        let writer = RunWriter(
            run, faults: workflow.faults,
            send: { [store, id, clock] in _ = try store.send($0, to: id, at: clock.now) },
            failed: { [workflow] in workflow.wasNotKept([]) })
        let signals = RunSignals(graph, of: id, in: store, writer, workflow)
        let cache = ResultCache(store, for: run.record, clock: clock)
        let offers = try await offers(run, plan, writer, signals)
        let elements = plan.keptElements(retryingFailures: retryingFailures) { [store, id] in
            try store.results(of: $0, in: id)
        }
        try begin(graph, plan, owner, elements, cache, writer, signals, offers)
        let early = try await signals.receive()
        signals.watch(by: clock)
        var outcome = await workflow.outcome()
        // The start forgets why the tasks were cancelled before it.
        if case .cancelled = outcome, let early { outcome = .cancelled(early) }
        signals.end()
        await writer.flush()
        await offers?.end()
        for part in graph.parts { part.endJournal() }
        if let failure = writer.failure { throw failure }
        return try await end(outcome, plan, writer, cache.taken, run)
    }

    /// What stands of the run, and what is to be done again.
    private func plan(_ graph: RunGraph, of run: any OpenRun) throws -> RunPlan {
        let shared = run as? any SharedRun
        // Who runs all of it alone leaves nothing behind for others.
        if place == .process {
            try shared?.leave(toWorkers: false)
            try shared?.takeAway(nil)
        }
        func make() throws -> RunPlan {
            try RunPlan(graph, of: run, retryingFailures: retryingFailures) {
                try self.store.results(of: $0, in: self.id)
            }
        }
        let plan = try make()
        if place == .worker, let newer = plan.newerStep {
            throw DurableRunError(
                .outdated, newer, "the run was made by a newer version of the program than this one")
        }
        guard place != .process, let shared, run.record.openings > 1 else { return plan }
        let stale = try shared.offers().map(\.offer).filter { !plan.isStill($0) }.map(\.step)
        guard !stale.isEmpty else { return plan }
        try shared.takeAway(stale)
        // Of what was taken away something may have been kept just before.
        return try make()
    }

    /// Where steps are offered to workers; nil if they are run in this process.
    private func offers(
        _ run: any OpenRun, _ plan: RunPlan, _ writer: RunWriter, _ signals: RunSignals
    ) async throws -> RunOffers? {
        guard place != .process else { return nil }
        guard let shared = run as? any SharedRun else {
            throw RunStoreError(
                .unsuitablePlace, store: store.name, "it is kept by one machine, and workers want a server's")
        }
        let offers = RunOffers(shared, store, writer, on: place, clock: clock)
        try await Blocking.call {
            try shared.leave(toWorkers: true)
            try offers.begin(plan) { [weak signals] in signals?.look() }
        }
        return offers
    }

    /// Puts all tasks where they stood; from here on they are kept.
    private func begin(
        _ graph: RunGraph, _ plan: RunPlan, _ owner: RunOwner, _ elements: KeptElements,
        _ cache: ResultCache, _ writer: RunWriter, _ signals: RunSignals, _ offers: RunOffers?
    ) throws {
        let kept = KeptResults(store, id, graph)
        // What is inside comes first, as the task around it looks at how that stands.
        for (number, part) in graph.parts.enumerated().reversed() {
            let journal = RunJournal(
                part, of: id, writer, token: owner.token, clock: clock, interruptions: plan.interruptions,
                elements: elements, cache: cache, recomputed: plan.recomputed, offers: offers,
                signals: { signals.send($0) })
            let restored = plan.restored(number, now: owner.since, from: kept)
            let begins = part.begin(journal) {
                $0.begin(
                    $1, restoring: restored, isCareful: plan.wasInterrupted,
                    isRelaxed: workflow.options.isRelaxed)
            }
            guard begins else { throw notFresh }
        }
    }

    private func end(
        _ outcome: Outcome<RunReport>, _ plan: RunPlan, _ writer: RunWriter, _ taken: [String: RunID],
        _ run: any OpenRun
    ) async throws -> DurableReport {
        let ending = RunEnding(outcome)
        try await Blocking.call {
            guard let ending else {
                // Who asks it to stop means the run; a worker that is asked to leave means itself.
                if self.place != .worker { try (run as? any SharedRun)?.leave(toWorkers: false) }
                return run.close()
            }
            try self.workflow.faults.commitOnStage { try run.end(ending, at: self.clock.now) }
        }
        let report = try outcome.get()
        return DurableReport(
            id: id, run: report, restored: plan.restored,
            executed: writer.executed.filter { taken[$0] == nil }, takenOver: taken,
            unreadable: plan.unreadable)
    }
}

extension RunEnding {
    /// How a run has ended; nil if it hasn't, but was interrupted.
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
