import Dispatch
import Foundation
import SteplineRuns
import SteplineSupport
import SteplineWorkflow

/// Builds the workflows of runs of one workflow file, for workers.
///
/// The file, and what it may do, are the worker's own, so that nothing in a store makes a machine read or run what it wasn't
/// told to. A run brings the parameters that it was begun with, how many tasks run at once, and that it is offline.
final class FlowWorkflows: Sendable {
    private let arguments: Arguments
    private let session: Session
    private let store: any RunStore
    private let warn: @Sendable (String) -> Void

    /// `warn` gets what goes wrong without making anything fail, in lines.
    init(
        _ arguments: Arguments, _ session: Session, _ store: any RunStore,
        warn: @escaping @Sendable (String) -> Void
    ) {
        self.arguments = arguments
        self.session = session
        self.store = store
        self.warn = warn
    }

    /// What makes workers of these workflows, which write their lines of JSON to stdout.
    func workers(of workflow: String, tell: @escaping @Sendable (String) -> Void) -> WorkerMaker {
        let workflows = WorkedWorkflows(haveVersions: false) { try self.workflow(of: $0, isOwned: $1) }
        return WorkerMaker(of: workflow, workflows, tell: tell) { [session] in
            try? session.output.write($0)
        }
    }

    /// Blocks, as secrets are read: what is called in a thread of a worker's own.
    private func workflow(of run: RunRecord, isOwned: Bool) throws -> Workflow {
        guard let kept = FlowRunInput(kept: run.input) else {
            throw FlowError("\(run.id) is no run of a workflow file")
        }
        var arguments = arguments
        if kept.isOffline { arguments.add(true, for: Option.offline.row) }
        let input = try FlowInput(arguments, session, set: kept.set)
        guard var plan = input.plan else { throw FlowError(input.lines.first ?? "") }
        let refusals = plan.refusals(of: arguments)
        if let refusal = refusals.first { throw FlowError(refusal) }
        if let name = input.missingParameters().first {
            throw FlowError("\(input.source.name) wants \(name), which \(run.id) was begun without")
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

    /// Takes the secrets of a plan out of all that the process writes.
    private func hide(_ plan: FlowPlan, of set: [String]) {
        // Without parameters they are the same for all runs, or newer ones.
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
