import Foundation
import SteplineSupport
import SteplineWorkflow

/// The runs that a worker has built, of those that it has had steps of.
// Touched by the one thread of the worker alone.
final class BuiltRuns {
    private struct Map: Hashable {
        let run: RunID
        let task: String
    }

    /// How many are kept.
    private static let most = 64

    private let store: any SharedRunStore
    private let workflows: WorkedWorkflows
    private let clock: any StepClock
    private let signals: UnsentSignals
    private let ended: @Sendable (WorkerDesk.BodyEnd) -> Void
    private var runs: [RunID: WorkedRun] = [:]
    /// Maps whose lists have been looked at since steps were taken last.
    private var fresh: Set<Map> = []

    init(
        _ store: any SharedRunStore, _ workflows: WorkedWorkflows, clock: any StepClock,
        _ signals: UnsentSignals, ended: @escaping @Sendable (WorkerDesk.BodyEnd) -> Void
    ) {
        self.store = store
        self.workflows = workflows
        self.clock = clock
        self.signals = signals
        self.ended = ended
    }

    /// Steps were taken: lists may be others by now.
    func age() { fresh = [] }

    /// The run of a claim; `used` are those that must be kept.
    func run(of claim: ClaimedStep, used: () -> Set<RunID>) throws -> WorkedRun {
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
        try run.begin(signals) { [clock, ended] in
            ended(WorkerDesk.BodyEnd(run: $0, place: $1, entry: $2, date: clock.now))
        }
        _ = try run.isStale(claim.offer)
        if runs.count >= Self.most {
            let used = used()
            runs = runs.filter { used.contains($0.key) }
        }
        runs[claim.run] = run
        return run
    }

    /// Has what the steps need that are about to begin read at once, for as long as a call takes.
    func reading(for claims: [ClaimedStep], _ begin: () throws -> Void) throws {
        guard claims.count > 1 else { return try begin() }
        let known = Set(claims.map(\.run)).compactMap { runs[$0] }
        for run in known { try run.read(for: claims.filter { $0.run == run.id }.map(\.offer)) }
        defer { for run in known { run.forgetRead() } }
        try begin()
    }
}
