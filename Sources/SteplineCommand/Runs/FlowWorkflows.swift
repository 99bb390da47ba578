import Dispatch
import Foundation
import SteplineRuns
import SteplineSupport
import SteplineWorkflow

/// Builds the workflows of a file's runs for workers.
///
/// The file and its permissions come from the worker's command line, so that a store can't make a machine read or
/// execute anything else. From the run come parameters, the number of simultaneous tasks, and whether it is offline.
final class FlowWorkflows: Sendable {
    private let arguments: Arguments
    private let session: Session
    private let store: any RunStore
    private let warn: @Sendable (String) -> Void

    /// Creates the builder; `warn` receives problems that don't fail a run.
    init(
        _ arguments: Arguments, _ session: Session, _ store: any RunStore,
        warn: @escaping @Sendable (String) -> Void
    ) {
        self.arguments = arguments
        self.session = session
        self.store = store
        self.warn = warn
    }

    /// Returns the factory of workers, which write JSON lines to standard output.
    func workers(of workflow: String, tell: @escaping @Sendable (String) -> Void) -> WorkerMaker {
        let workflows = WorkedWorkflows(haveVersions: false) { try self.workflow(of: $0, isOwned: $1) }
        return WorkerMaker(of: workflow, workflows, tell: tell) { [session] in
            try? session.output.write($0)
        }
    }

    /// Builds a run's workflow; blocks while secrets are read, so call on a worker's own thread.
    private func workflow(of run: RunRecord, isOwned: Bool) throws -> Workflow {
        guard let kept = FlowRunInput(kept: run.input) else {
            throw FlowError("\(run.id) isn't a run of a workflow file")
        }
        var arguments = arguments
        if kept.isOffline { arguments.add(true, for: Option.offline.row) }
        let input = try FlowInput(arguments, session, set: kept.set)
        guard var plan = input.plan else { throw FlowError(input.lines.first ?? "") }
        let refusals = plan.refusals(of: arguments)
        if let refusal = refusals.first { throw FlowError(refusal) }
        if let name = input.missingParameters().first {
            throw FlowError(
                "\(input.source.name) requires parameter \(name), and \(run.id) was started without it")
        }
        (kept.manner ?? FlowManner(Arguments())).settle(&plan)
        let unread = plan
        plan = try Self.wait(for: { [session] in
            var plan = unread
            try await plan.readSecrets(session.environment)
            return plan
        })
        hide(plan, of: kept.set)
        plan.isKept = true
        plan.began = run.created
        plan.warn = { [warn] in warn("\(run.id): \($0)") }
        if isOwned { plan.versions = try FlowVersions.kept(of: plan, in: store, run.id) }
        return try plan.workflow()
    }

    /// Hides a plan's secrets in all output of the process.
    private func hide(_ plan: FlowPlan, of set: [String]) {
        // Without parameters the secrets are the same for all runs.
        let place = plan.hasSecretsOfParameters ? "worker " + set.joined(separator: " ") : "worker"
        session.errors.hide(plan.setting.secrets.redactor, of: place)
        session.output.hide(plan.setting.secrets.redactor, of: place)
    }

    private static func wait<Answer: Sendable>(
        for body: @escaping @Sendable () async throws -> Answer
    ) throws -> Answer {
        let answer = Locked(Result<Answer, any Error>?.none)
        let isDone = DispatchSemaphore(value: 0)
        Task {
            let result: Result<Answer, any Error>
            do { result = .success(try await body()) } catch { result = .failure(error) }
            answer.withLock { $0 = result }
            isDone.signal()
        }
        isDone.wait()
        guard let result = answer.withLock({ $0 }) else { throw CancellationError() }
        return try result.get()
    }
}
