import SteplinePipeline
import SteplineWorkflow

/// A task that runs its steps once.
final class FlowChainTask: WorkflowTask, @unchecked Sendable {  // all that is stored is constant
    private let task: FlowTask
    private let plan: FlowPlan

    init(_ task: FlowTask, in plan: FlowPlan, _ options: TaskOptions) {
        self.task = task
        self.plan = plan
        super.init(name: task.name, options: options)
    }

    override func run() async throws -> (any Sendable)? {
        let attempt = currentAttempt
        var bag = results(of: task)
        // What a task alone waits for is what its first step gets.
        if task.after.count == 1, let only = task.after.first { bag[.flow] = bag[.result(of: only.name)] }
        return try await FlowChain(task, in: plan).run(bag, named: task.name) { attempt.report(step: $0) }
    }

    /// What is wrong with the pipeline.
    override func findIssues() -> [WorkflowIssue] { FlowChain(task, in: plan).issues() }
}

extension WorkflowTask {
    /// The results of what a task of a file waits for, each under its name.
    func results(of task: FlowTask) -> Content {
        var bag = Content()
        for reference in task.after {
            let key = ContentKey.result(of: reference.name)
            bag[key] = prerequisiteResult(forKey: PrerequisiteKey(key.name)) as? FlowValue
        }
        return bag
    }
}
