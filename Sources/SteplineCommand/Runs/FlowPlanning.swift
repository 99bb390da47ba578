import SteplineRuns
import SteplineWorkflow

/// Plans a run of a workflow file, for `run --plan`.
///
/// Runs nothing, not even the programs of secrets, and writes only the plan.
struct FlowPlanning {
    private let plan: FlowPlan
    private let selection: FlowSelection
    private let kept: KeptFlow?

    init(_ plan: FlowPlan, _ selection: FlowSelection, _ kept: KeptFlow?) {
        self.plan = plan
        self.selection = selection
        self.kept = kept
    }

    /// Writes the plan to standard output, with `--json` as JSON.
    func write(_ arguments: Arguments, _ session: Session) async throws -> ExitCode {
        let others: [Option<String>] = [.record, .report, .trace]
        if let other = others.first(where: { arguments[$0] != nil }) {
            throw UsageError("--plan runs nothing: leave out --\(other.row.name)")
        }
        let answer = try await steps(session).answer(
            isJSON: arguments.isOn(.runObject) || arguments.logFormat == .json)
        try session.output.write(answer.output)
        return .success
    }

    private func steps(_ session: Session) async throws -> DurablePlan {
        guard let kept else { return ofFiles }
        var plan = plan
        plan.isKept = true
        plan.versions = try kept.versions(of: plan)
        let steps = try await kept.plan(of: plan.workflow())
        // The store has a skipped task as finished.
        let skips = try kept.skips(session)
        guard !skips.isEmpty else { return steps }
        return DurablePlan(
            of: steps.id, isNew: steps.isNew,
            steps.steps.map { step in
                guard step.reason == .finished, let reason = skips[step.name] else { return step }
                return step.skipped(reason)
            })
    }

    /// The plan without a store: the dates of files decide.
    private var ofFiles: DurablePlan {
        let upToDate = Set(selection.upToDate)
        let steps = plan.order.compactMap { task -> PlannedStep? in
            if upToDate.contains(task.name) { return PlannedStep(task.name, .kept, .upToDate) }
            return selection.tasks.contains(task.name) ? PlannedStep(task.name, .runs, .unkept) : nil
        }
        return DurablePlan(of: RunID(plan.file.name, key: ""), isNew: true, steps)
    }
}

extension Option<Bool> {
    static let planOnly = Option(
        flag: "plan", "print what would be done with each task, and why; run and write nothing")
    static let dryRun = Option(flag: "dry-run", "the same as --plan")
}

extension Arguments {
    /// Whether only the plan is wanted.
    var onlyPlans: Bool { isOn(.planOnly) || isOn(.dryRun) }
}
