import SteplinePipeline
import SteplineSupport
import SteplineWorkflow

/// A task that runs its steps once.
final class FlowChainTask: WorkflowTask, @unchecked Sendable {  // all that is stored is constant
    private let task: FlowTask
    private let plan: FlowPlan

    init(_ task: FlowTask, in plan: FlowPlan, _ options: TaskOptions) {
        self.task = task
        self.plan = plan
        super.init(name: plan.told(task.name), options: options)
    }

    override var resultType: (any Sendable.Type)? { FlowResult.self }

    override func run() async throws -> (any Sendable)? {
        let attempt = currentAttempt
        var bag = plan.bag(of: prerequisites)
        // Asked for by itself it knows of a run of nothing.
        if task.runs.isLast {
            let now = plan.setting.clock.now
            bag[.run] = try FlowRunSummary(of: [], in: plan, began: now, fatal: []).json()
        }
        if let reason = try plan.skips(task, behind: prerequisites, bag) {
            return FlowResult(skipped: reason)
        }
        // What a task alone waits for is what its first step gets.
        if let only = task.onlyValue { bag[.flow] = bag[.result(of: only.name)] }
        let result = try await FlowChain(task, in: plan).run(bag, named: name) {
            attempt.report(step: $0)
        }
        try plan.checkWritten(by: task)
        return result
    }

    /// What is wrong with the pipeline.
    override func findIssues() -> [CheckIssue] { FlowChain(task, in: plan).issues() }
}
