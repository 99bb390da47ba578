import Foundation
import SteplineSupport
import SteplineWorkflow

extension DurableWorkflow {
    /// Runs the program's runs that no process runs: waiting ones of `store.start`, and interrupted ones; oldest first.
    ///
    ///     try await Mirror.serve(in: .file("mirror.runs"), limit: 4)
    ///
    /// Returns when the waiting Swift task is cancelled. The runs in progress are interrupted by that, not cancelled.
    /// Several processes may serve one program. Ended and paused runs stay, and runs with steps at workers. A run that
    /// can't begin, such as one whose secret isn't set, is tried again after a minute.
    ///
    /// - Parameters:
    ///   - store: The store of the runs.
    ///   - limit: The maximum number of concurrent runs, at least 1.
    ///   - ended: Called after each run of this process.
    /// - Throws: A ``RunStoreError`` if the store can't be read.
    public static func serve(
        in store: some RunStore, limit: Int = 1,
        ended: @escaping @Sendable (RunID, Result<DurableReport, any Error>) -> Void = { _, _ in }
    ) async throws {
        let program = DurableProgram(Self.self, called: name, .ofProcess())
        try await RunServer(
            name, ProgramWorkflows(program), by: options.clock, store, limit: max(1, limit), ended
        ).serve()
    }
}

/// Looks for runs without an owner, and runs them.
///
/// Each run has a Swift task of one group. `State` has a lock, since tasks report their ends from any thread.
private final class RunServer: Sendable {
    private struct State {
        var running: Set<RunID> = []
        /// Runs that can't begin, each with the uptime of the next try.
        var skipped: [RunID: Duration] = [:]
        var mark: Int?
        /// The uptime of the next look if nothing has changed.
        var nextLook = Duration.zero
    }

    /// The pause before another try to begin a run.
    private static let retryPause = Duration.seconds(60)
    /// The pause between looks while the store tells of no change: it doesn't tell of dead owners.
    private static let pause = Duration.seconds(10)

    private let name: String
    private let workflows: any WorkflowMaking
    private let store: any RunStore
    private let limit: Int
    private let ended: @Sendable (RunID, Result<DurableReport, any Error>) -> Void
    private let clock: any StepClock
    private let state = Locked(State())

    init(
        _ name: String, _ workflows: any WorkflowMaking, by clock: any StepClock, _ store: any RunStore,
        limit: Int, _ ended: @escaping @Sendable (RunID, Result<DurableReport, any Error>) -> Void
    ) {
        (self.name, self.workflows, self.clock) = (name, workflows, clock)
        (self.store, self.limit, self.ended) = (store, limit, ended)
    }

    func serve() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            while !Task.isCancelled {
                for run in try await Blocking.call({ try self.takeNext(self.limit) }) {
                    group.addTask { await self.runAll(from: run) }
                }
                do { try await clock.sleep(for: .seconds(1)) } catch { break }
            }
            group.cancelAll()
        }
    }

    /// Runs a run, and then the next ones without a pause.
    private func runAll(from first: RunRecord) async {
        var next: RunRecord? = first
        while let run = next {
            await self.run(run)
            // `serve` meets an error of the store at its next look.
            next = Task.isCancelled ? nil : try? await Blocking.call { try self.takeNext(1) }.first
        }
    }

    /// Returns the next runs, and notes them as running.
    private func takeNext(_ count: Int) throws -> [RunRecord] {
        let (now, mark) = (clock.uptime, try store.changeMark())
        let room = state.withLock { state in
            let mayHaveChanged = mark == nil || mark != state.mark || now >= state.nextLook
            guard mayHaveChanged, state.running.count < limit else { return 0 }
            (state.mark, state.nextLook) = (mark, now + Self.pause)
            state.skipped = state.skipped.filter { now < $0.value }
            return min(count, limit - state.running.count)
        }
        guard room > 0 else { return [] }
        let runs = try store.runs(of: name).reversed().filter { $0.ending == nil && !$0.isOpen }
        var next: [RunRecord] = []
        for run in runs where next.count < room {
            let isFree = state.withLock { !$0.running.contains(run.id) && $0.skipped[run.id] == nil }
            do {
                if try isFree && !store.isPaused(run.id) && !isWorked(run) { next.append(run) }
            } catch let error as RunStoreError where error.code == .noSuchRun {
                // Removed after the list was read.
            }
        }
        // Another task of the group may have taken one of them meanwhile.
        return next.filter { run in
            state.withLock { $0.running.count < limit && $0.running.insert(run.id).inserted }
        }
    }

    /// Whether workers run steps of the run; one of them becomes its owner.
    private func isWorked(_ run: RunRecord) throws -> Bool {
        guard let shared = store as? any SharedRunStore else { return false }
        let busy = Set(try shared.offers(of: run.id).filter { !$0.hasEnded }.compactMap(\.worker))
        return try !busy.isEmpty && shared.workers(of: name).contains { busy.contains($0.name) }
    }

    private func run(_ record: RunRecord) async {
        let id = record.id
        let hasBegun = Locked(false)
        let result: Result<DurableReport, any Error>
        do {
            // Before the opening: a missing secret doesn't count as an interruption.
            let workflow = try await Blocking.call { try self.workflows.make(record.input) }
            result = .success(
                try await workflow.run(
                    in: store, key: id.key, retryingFailures: false, input: record.input, skippingEnded: true
                ) { _ in hasBegun.withLock { $0 = true } })
        } catch {
            result = .failure(error)
        }
        let next = clock.uptime + Self.retryPause
        state.withLock { state in
            state.running.remove(id)
            // There is room again, also if the store doesn't change any more.
            state.nextLook = .zero
            if case .failure = result { state.skipped[id] = next }
        }
        if !hasBegun.withLock(\.self), case .failure(let error as RunStoreError) = result,
            error.code == .inProgress || error.code == .ownershipLost
        {
            // Another process was faster, and reports the run itself.
            return
        }
        ended(id, result)
    }
}
