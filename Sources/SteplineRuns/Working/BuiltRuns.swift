import Foundation
import SteplineSupport
import SteplineWorkflow

/// A cache of the runs that a worker has built for its steps.
// Not thread-safe: only the worker's own thread uses the cache.
final class BuiltRuns {
    private struct Map: Hashable {
        let run: RunID
        let task: String
    }

    /// The size at which runs without running steps are evicted.
    private static let most = 64

    private let store: any SharedRunStore  // builds workflows of runs
    private let workflows: WorkedWorkflows
    private let clock: any StepClock
    private let signals: UnsentSignals
    private let ended: @Sendable (WorkerSession.BodyEnd) -> Void
    private var runs: [RunID: WorkedRun] = [:]  // at most `most`, unless more are in use
    /// The maps whose lists were checked since the latest claim.
    private var fresh: Set<Map> = []

    init(
        _ store: any SharedRunStore, _ workflows: WorkedWorkflows, clock: any StepClock,
        _ signals: UnsentSignals, ended: @escaping @Sendable (WorkerSession.BodyEnd) -> Void
    ) {
        self.store = store
        self.workflows = workflows
        self.clock = clock
        self.signals = signals
        self.ended = ended
    }

    /// Marks all lists as unchecked, after a claim.
    func age() { fresh = [] }

    /// Returns the run of a claim, building it if it isn't cached or its list has changed.
    ///
    /// - Parameters:
    ///   - claim: The claim.
    ///   - used: Returns the runs that must not be evicted.
    /// - Returns: The run.
    /// - Throws: An error if the run was forgotten or can't be built.
    func run(of claim: ClaimedStep, used: () -> Set<RunID>) throws -> WorkedRun {
        let isNew = fresh.insert(Map(run: claim.run, task: claim.offer.task)).inserted
        // The number differs if the run was forgotten and created again under the same name.
        if let run = runs[claim.run], run.number == claim.runNumber,
            try !isNew || !run.isStale(claim.offer)
        {
            return run
        }
        // The run may have been forgotten since the step was claimed.
        guard let record = try store.run(claim.run) else { throw RunsError("the run is forgotten") }
        let run = WorkedRun(
            claim.run, number: claim.runNumber, try workflows.make(record, isOwned: false), store,
            hasVersions: workflows.haveVersions)
        try run.begin(signals) { [clock, ended] in
            ended(WorkerSession.BodyEnd(run: $0, place: $1, entry: $2, date: clock.now))
        }
        // Record the list's attempt now: later claims compare with it.
        _ = try run.isStale(claim.offer)
        if runs.count >= Self.most {
            // Evict all runs without running steps at once.
            let used = used()
            runs = runs.filter { used.contains($0.key) }
        }
        runs[claim.run] = run
        return run
    }

    /// Reads the inputs of several steps at once, for the duration of a call.
    func reading(for claims: [ClaimedStep], _ begin: () throws -> Void) throws {
        // A single step reads its inputs itself, in one query.
        guard claims.count > 1 else { return try begin() }
        // Runs that aren't built yet read their inputs step by step.
        let known = Set(claims.map(\.run)).compactMap { runs[$0] }
        for run in known { try run.read(for: claims.filter { $0.run == run.id }.map(\.offer)) }
        defer { for run in known { run.forgetRead() } }
        try begin()
    }
}
