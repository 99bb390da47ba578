import SteplinePipeline
import SteplineSupport
import SteplineWorkflow

/// A task that runs its steps once, as a pipeline.
final class FlowChainTask: WorkflowTask, @unchecked Sendable {  // all that is stored is constant
    private let shared: FlowSharedPlan
    /// Its place in the order of the plan.
    private let number: Int

    init(_ number: Int, of shared: FlowSharedPlan, _ options: TaskOptions) {
        self.shared = shared
        self.number = number
        super.init(name: shared.plan.told(shared.plan.order[number].name), options: options)
    }

    override var resultType: (any Sendable.Type)? { FlowResult.self }

    override func run() async throws -> (any Sendable)? {
        let attempt = currentAttempt
        let (plan, task) = (shared.plan, shared.plan.order[number])
        switch try plan.beginning(of: task, behind: prerequisites) {
        case .skipped(let reason): return FlowResult(skipped: reason)
        case .run(let bag):
            let result = try await FlowChain(task, in: plan).run(bag, named: name) {
                attempt.report(step: $0)
            }
            try plan.checkWritten(by: task)
            return result
        }
    }

    /// What is wrong with the pipeline.
    override func findIssues() -> [CheckIssue] {
        FlowChain(shared.plan.order[number], in: shared.plan).issues()
    }
}

extension FlowPlan {
    /// What a task begins with.
    enum Beginning {
        case skipped(String)
        case run(Content)
    }

    /// Whether a task is run behind those that have ended before it, and with what.
    func beginning(of task: FlowTask, behind before: [WorkflowTask]) throws -> Beginning {
        var bag = bag(of: before)
        // Asked for by itself it knows of a run of nothing.
        if task.runs.isLast {
            bag[.run] = try FlowRunSummary(of: [], in: self, began: setting.clock.now, fatal: []).json()
        }
        if let reason = try skips(task, behind: before, bag) { return .skipped(reason) }
        // What a task alone waits for is what its first step gets.
        if let only = task.onlyValue { bag[.flow] = bag[.result(of: only.name)] }
        return .run(bag)
    }
}
