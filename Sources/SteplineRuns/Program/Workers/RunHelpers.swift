import Foundation
import SteplineSupport

/// The processes that execute the steps of a run owned here: a worker in this process, and workers started by Slurm.
///
/// `helping` runs the owner and the workers side by side. The owner's end stops the workers, and a permanent failure of
/// the workers cancels the owner, unless other workers are alive.
package struct RunHelpers: Sendable {
    private let id: RunID
    private let keeper: WorkerKeeper?
    private let starter: (any WorkerStarter)?
    private let worker: (@Sendable (any SharedRunStore) -> StepWorker)?
    private let complain: @Sendable (String) -> Void

    /// Creates helpers without a starter: external workers, and a worker in this process if a factory is given.
    package init(
        of id: RunID, worker: (@Sendable (any SharedRunStore) -> StepWorker)?,
        complain: @escaping @Sendable (String) -> Void
    ) {
        self.id = id
        self.worker = worker
        self.complain = complain
        (keeper, starter) = (nil, nil)
    }

    /// Creates helpers with workers that Slurm starts.
    package init(
        _ workers: WorkerWords, of id: RunID, at place: RunStorePlace, command: [String], slots: Int,
        environment: [String: String], clock: any StepClock,
        complain: @escaping @Sendable (String) -> Void
    ) throws {
        self.id = id
        self.complain = complain
        let slurm = try workers.starter(
            of: id, at: place, command: command, environment: environment, clock: clock)
        starter = slurm
        keeper = WorkerKeeper(slurm, bounds: workers.bounds, slots: slots, clock: clock, tell: complain)
        worker = nil
    }

    init<Program>(
        _ workers: WorkerWords, of id: RunID, _ words: ProgramWords, _ program: DurableProgram<Program>
    )
        throws
    {
        let output = program.output
        let complain: @Sendable (String) -> Void = {
            output.complain("\(id.workflow): \(RunsText.oneLine($0))\n")
        }
        let settings = try WorkerSettings(words)
        guard workers.isSlurm else {
            let hasSlots = try WorkerSettings.slots(words) != nil
            // The worker must stay as long as the run: there may be no other.
            var own = settings
            own.idle = nil
            let worker: @Sendable (any SharedRunStore) -> StepWorker = { [maker = program.workerMaker, own] in
                maker.worker(in: $0, own, isJSON: false)
            }
            self.init(of: id, worker: hasSlots ? worker : nil, complain: complain)
            return
        }
        let path = Bundle.main.executablePath ?? program.call
        var command = [path, "work", "--slots", "\(settings.slots)", "--idle", words["idle"] ?? "60s"]
        if let grace = words["grace"] { command += ["--grace", grace] }
        try self.init(
            workers, of: id, at: program.place(of: words), command: command, slots: settings.slots,
            environment: output.environment, clock: Program.options.clock, complain: complain)
    }

    /// Runs the owner's body with workers beside it; cancels the body if no worker can ever be started.
    package func helping<Answer: Sendable>(
        in store: any SharedRunStore, _ body: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        let running = Task { try await body() }
        let helping = Task { await help(store) { running.cancel() } }
        // The task that awaits the owner gets the cancellation; the worker ends with the owner.
        return try await withTaskCancellationHandler {
            let result = await running.result
            // In a task of its own: a cancellation must not stop the cleanup.
            helping.cancel()
            await helping.value
            await Task { await end(result, in: store) }.value
            return try result.get()
        } onCancel: {
            running.cancel()
        }
    }

    /// Runs the workers until the Swift task is cancelled; calls `giveUp` if no worker can ever be started.
    private func help(_ store: any SharedRunStore, giveUp: @escaping @Sendable () -> Void) async {
        do {
            // Returns when the task is cancelled.
            if let worker { try await worker(store).run() }
            guard let keeper else { return }
            try await keeper.keep { [id] in try await Blocking.call { try store.demand(of: id) } }
        } catch is CancellationError {
        } catch {
            complain(ErrorText.line(error))
            if await !hasOtherWorkers(in: store) { giveUp() }
        }
    }

    /// Returns whether the run has other workers than the failed one of this process.
    private func hasOtherWorkers(in store: any SharedRunStore) async -> Bool {
        // The starter's keeper has looked for others before it failed.
        guard worker != nil else { return false }
        let others = try? await Blocking.call { [id] in try store.workers(of: id.workflow) }
        return others?.isEmpty == false
    }

    /// Cancels workers of a cancelled run; workers of an ended run leave by themselves.
    private func end<Answer>(_ result: Result<Answer, any Error>, in store: any SharedRunStore) async {
        guard let starter else { return }
        // Slurm may still queue or requeue jobs of a cancelled run.
        guard isCancelled(result) || (try? store.run(id))?.state == .cancelled else { return }
        do { try await starter.cancel() } catch { complain(ErrorText.line(error)) }
    }

    private func isCancelled<Answer>(_ result: Result<Answer, any Error>) -> Bool {
        if case .failure(let error) = result { error is CancellationError } else { false }
    }
}

extension SharedRunStore {
    /// Returns the amount of work of a run.
    fileprivate func demand(of id: RunID) throws -> WorkerDemand {
        let offers = try offers(of: id).filter { !$0.hasEnded }
        // A forgotten run counts as having ended no attempts.
        let run = try run(id)
        return WorkerDemand(
            ready: offers.count { $0.worker == nil }, running: offers.count { $0.worker != nil },
            ended: (run?.finished ?? 0) + (run?.failed ?? 0), alive: try workers(of: id.workflow).count)
    }
}
