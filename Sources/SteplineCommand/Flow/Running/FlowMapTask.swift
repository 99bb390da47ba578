import SteplineJSON
import SteplinePipeline
import SteplineSupport
import SteplineWorkflow

/// A task that runs its steps for each element of a list, and has the results as a list.
final class FlowMapTask: WorkflowTask, @unchecked Sendable {  // all that is stored is constant
    private let task: FlowTask
    private let plan: FlowPlan
    private let elementOptions: TaskOptions

    init(_ task: FlowTask, in plan: FlowPlan, elementOptions: TaskOptions) {
        self.task = task
        self.plan = plan
        // The time for all of them is the task's; each attempt of an element has its own.
        let options = TaskOptions(
            deadline: elementOptions.deadline, priority: elementOptions.priority,
            version: elementOptions.version)
        var own = elementOptions
        own.deadline = nil
        self.elementOptions = own
        super.init(name: task.name, options: options)
    }

    override var resultType: (any Sendable.Type)? { FlowResult.self }

    override func run() async throws -> (any Sendable)? {
        let attempt = currentAttempt
        let bag = prerequisiteBag()
        let elements = try FlowElement.list(of: task, plan, bag)
        let inner = Workflow(name, options: WorkflowOptions(clock: plan.setting.clock))
        let done = Locked(0)
        let body = { @Sendable [plan, task] (element: FlowElement) async throws -> FlowResult in
            defer {
                let count = done.withLock { count in
                    count += 1
                    return count
                }
                attempt.report(
                    progress: Double(count) / Double(elements.count), "\(count) of \(elements.count)")
            }
            return try await element.run(task, plan, bag)
        }
        if task.map?.skipsFailures == true {
            let all = try inner.mapCollectingFailures(
                name, over: elements, limit: task.map?.limit, options: elementOptions, body: body)
            // Its outcome is that of the elements, each of which is looked at below.
            do { try await inner.run() } catch let error as WorkflowError where error.code == .tasksFailed {}
            return try FlowResult(elements: kept(of: all.result ?? []))
        }
        let all = try inner.map(
            name, over: elements, limit: task.map?.limit, options: elementOptions, body: body)
        do {
            try await inner.run()
        } catch let error as WorkflowError where error.code == .tasksFailed {
            throw all.task.error ?? error
        }
        return try FlowResult(elements: all.result ?? [])
    }

    /// The results of the elements that haven't failed; the others are told, unless all have failed.
    private func kept(of results: [Result<FlowResult, any Error>]) throws -> [FlowResult] {
        var kept: [FlowResult] = []
        var failures: [(number: Int, error: any Error)] = []
        for (number, result) in results.enumerated() {
            switch result {
            case .success(let value): kept.append(value)
            case .failure(let error): failures.append((number, error))
            }
        }
        if kept.isEmpty, let first = failures.first { throw first.error }
        for failure in failures { plan.warn("\(name)[\(failure.number)] is left out: \(failure.error)") }
        return kept
    }

    /// What is wrong with the pipeline that each element runs.
    override func findIssues() -> [CheckIssue] { FlowChain(task, in: plan).issues() }
}
