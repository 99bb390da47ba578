import Foundation
import SteplineRuns
import SteplineWorkflow

/// A durable run of a workflow file, with its store and the workers it starts.
final class KeptFlow: KeptRun {
    let id: RunID
    /// The parameters of the first start; nil for a new run.
    let setBefore: [String]?
    private let store: any RunStore
    private let input: FlowRunInput
    private let file: String
    private let retriesFailures: Bool
    private let skippable: Set<String>
    /// The workers and the store they share; nil if this process runs all tasks.
    private let shared: (helpers: RunHelpers, store: any SharedRunStore)?

    /// Opens the store; nil without `--store`.
    ///
    /// - Throws: `UsageError` if the run exists with other parameters or for another file, or if options conflict.
    init?(_ plan: FlowPlan, _ arguments: Arguments, _ session: Session, _ teller: RunTeller) throws {
        guard let file = arguments[.store] else {
            guard arguments[.runKey] == nil, !arguments.isOn(.retryingFailures) else {
                throw UsageError("--key and --retrying-failures require --store")
            }
            return nil
        }
        guard arguments.operands.first != FlowInput.standardInput else {
            throw UsageError("--store requires a workflow file: standard input can't be read again")
        }
        let place = try session.storePlace(file)
        self.file = place.shown
        id = RunID(plan.file.name, key: arguments[.runKey] ?? Self.today())
        input = FlowRunInput(arguments, session)
        skippable = plan.skippable
        if arguments.onlyPlans {
            // A plan creates no store. A store without the run has the same plan.
            (store, shared) = (try place.openIfThere() ?? MemoryRunStore(), nil)
        } else if let workers = try Self.workers(arguments) {
            let server = try place.openShared()
            let helpers =
                workers.isSlurm
                ? try input.helpers(
                    workers, of: id, at: place, arguments, session, plan.setting.clock, teller)
                : Self.helpers(id, server, arguments, session, teller)
            (store, shared) = (server, (helpers, server))
        } else {
            (store, shared) = (try place.open(), nil)
        }
        retriesFailures = arguments.isOn(.retryingFailures)
        let before = FlowRunInput(kept: try store.run(id)?.input)
        setBefore = before?.set
        if let flow = before?.flow, flow != input.flow {
            throw UsageError(
                "\(id) is a run of \(flow), not of \(input.flow); use another --key or --store, or rename the file"
            )
        }
        guard let setBefore, !input.set.isEmpty, input.set.sorted() != setBefore.sorted() else {
            return
        }
        let words =
            setBefore.isEmpty ? "no --set" : setBefore.map { "--set \($0)" }.joined(separator: " ")
        throw UsageError(
            "\(id) was started with \(words): leave out --set to continue it, or use another --key")
    }

    /// Returns today's date in the machine's time zone, the default key.
    private static func today() -> String {
        Date().formatted(Date.ISO8601FormatStyle(timeZone: .current).year().month().day())
    }

    /// Returns the requested workers; nil if this process runs all tasks.
    private static func workers(_ arguments: Arguments) throws -> WorkerWords? {
        let place = arguments[.runPlace]
        let options = arguments.all(.sbatch)
        guard place == .slurm || options.isEmpty && arguments[.idle] == nil && arguments[.grace] == nil
        else {
            throw UsageError("--sbatch, --idle and --grace require --on slurm")
        }
        return try WorkerWords(place: place?.rawValue, workers: arguments[.workers], options: options)
    }

    /// Returns helpers for workers that are started elsewhere; with `--slots`, this process is a worker too.
    private static func helpers(
        _ id: RunID, _ store: any SharedRunStore, _ arguments: Arguments, _ session: Session,
        _ teller: RunTeller
    ) -> RunHelpers {
        let tell: @Sendable (String) -> Void = { teller.tell($0) }
        guard let slots = arguments[.slots] else {
            return RunHelpers(of: id, worker: nil, complain: tell)
        }
        let workflows = FlowWorkflows(arguments, session, store) { teller.warn($0) }
        let maker = workflows.workers(of: id.workflow) { teller.note($0) }
        return RunHelpers(of: id) { store in
            maker.worker(in: store, WorkerSettings(asked: slots, idle: nil, grace: nil), isJSON: false)
        } complain: {
            tell($0)
        }
    }

    /// Runs the workflow; returns after its end, or after the Swift task was cancelled.
    func run(_ workflow: Workflow, opened: @escaping @Sendable (OpenedRun) -> Void) async throws {
        let input = try input.data()
        @Sendable func own(on place: RunPlace) async throws {
            _ = try await workflow.run(
                in: store, key: id.key, retryingFailures: retriesFailures, input: input, on: place,
                opened: opened)
        }
        guard let shared else { return try await own(on: .process) }
        try await shared.helpers.helping(in: shared.store) { try await own(on: .workers) }
    }

    /// Returns what a run would do with each step; writes nothing.
    func plan(of workflow: Workflow) async throws -> DurablePlan {
        try await workflow.plan(
            in: store, key: id.key, retryingFailures: retriesFailures, input: input.data(),
            words: FlowVersions.change)
    }

    /// Returns the reasons for the skipped tasks of the stored run, by name; empty for a new run.
    func skips(_ session: Session) throws -> [String: String] {
        let skips = StoredSkips(in: store, session, known: [id: skippable])
        return try store.run(id).map(skips.reasons) ?? [:]
    }

    /// Returns the watch for tasks that workers have skipped; nil if this process runs all tasks.
    func skips(in workflow: Workflow) -> SkipsElsewhere? {
        shared == nil ? nil : SkipsElsewhere(of: skippable, in: workflow)
    }

    /// Returns whether an error means that nothing has run, because the run has a living owner.
    ///
    /// The exit status is then 1. Other parameters than those of the kept run are found earlier, in `init`, as a
    /// ``UsageError`` with status 2.
    static func isRefusal(_ error: any Error) -> Bool {
        (error as? RunStoreError)?.code == .inProgress
    }

    /// A line with the next command to enter; nil if the run is finished or still running.
    var hint: String? {
        guard let run = try? store.run(id) else { return nil }
        switch run.state {
        case .interrupted, .incomplete:
            return "to continue, run the same command again: \(input.command(store: file, key: id.key))"
        case .failed:
            return "to retry failed tasks: \(input.command(store: file, key: id.key, isRetry: true))"
        case .cancelled:
            let command = input.command(store: file, key: id.key, isRetry: true)
            return "the run was cancelled; to run it anyway: \(command)"
        case .waiting, .running, .finished: return nil
        }
    }

    /// The versions of the tasks; see ``FlowVersions``.
    func versions(of plan: FlowPlan) throws -> [String: Int] {
        try FlowVersions.begun(of: plan, in: store, id)
    }
}
