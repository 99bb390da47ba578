import SteplineJSON
import SteplinePipeline
import SteplineSupport
import SteplineWorkflow

/// A task that runs its steps for each element of a list, and has the results as a list.
final class FlowMapTask: WorkflowTask, @unchecked Sendable {  // all that is stored is constant
    private struct Element: Sendable {
        let number: Int
        let value: JSON
    }

    private let task: FlowTask
    private let plan: FlowPlan
    private let elementOptions: TaskOptions

    init(_ task: FlowTask, in plan: FlowPlan, elementOptions: TaskOptions) {
        self.task = task
        self.plan = plan
        // The time for all of them is the task's; each attempt of an element has its own.
        let options = TaskOptions(deadline: elementOptions.deadline, priority: elementOptions.priority)
        var own = elementOptions
        own.deadline = nil
        self.elementOptions = own
        super.init(name: task.name, options: options)
    }

    override func run() async throws -> (any Sendable)? {
        let attempt = currentAttempt
        let bag = prerequisiteBag()
        let elements = try list(bag)
        let inner = Workflow(name, options: WorkflowOptions(clock: plan.setting.clock))
        let done = Locked(0)
        let body = { @Sendable [plan, task] (element: Element) async throws -> FlowValue in
            defer {
                let count = done.withLock { count in
                    count += 1
                    return count
                }
                attempt.report(
                    progress: Double(count) / Double(elements.count), "\(count) of \(elements.count)")
            }
            return try await Self.run(element, task, plan, bag)
        }
        if task.map?.skipsFailures == true {
            let all = try inner.mapCollectingFailures(
                name, over: elements, limit: task.map?.limit, options: elementOptions, body: body)
            // Its outcome is that of the elements, each of which is looked at below.
            do { try await inner.run() } catch let error as WorkflowError where error.code == .tasksFailed {}
            return FlowValue.json(try JSON(elements: kept(of: all.result ?? [])))
        }
        let all = try inner.map(
            name, over: elements, limit: task.map?.limit, options: elementOptions, body: body)
        do {
            try await inner.run()
        } catch let error as WorkflowError where error.code == .tasksFailed {
            throw all.task.error ?? error
        }
        return FlowValue.json(try JSON(elements: (all.result ?? []).map { try $0.forFormulas() }))
    }

    /// The results of the elements that haven't failed; the others are told, unless all have failed.
    private func kept(of results: [Result<FlowValue, any Error>]) throws -> [JSON] {
        var kept: [JSON] = []
        var failures: [(number: Int, error: any Error)] = []
        for (number, result) in results.enumerated() {
            switch result {
            case .success(let value): kept.append(try value.forFormulas())
            case .failure(let error): failures.append((number, error))
            }
        }
        if kept.isEmpty, let first = failures.first { throw first.error }
        for failure in failures { plan.warn("\(name)[\(failure.number)] is left out: \(failure.error)") }
        return kept
    }

    private static func run(
        _ element: Element, _ task: FlowTask, _ plan: FlowPlan, _ bag: Content
    ) async throws -> FlowValue {
        var bag = bag
        bag[.item] = element.value
        bag[.index] = element.number
        bag[.flow] = .json(element.value)
        return try await FlowChain(task, in: plan).run(bag, named: "\(task.name)[\(element.number)]")
    }

    private func list(_ bag: Content) throws -> [Element] {
        guard let map = task.map else { return [] }
        let scope = FlowScope(setting: plan.setting, bag: bag, input: nil)
        let value = try scope.locating { try map.list.value(by: scope.evaluator()) }
        guard let list = value.array else { throw FlowError("map wants a list, not \(value.article)") }
        return list.enumerated().map { Element(number: $0, value: $1) }
    }

    /// What is wrong with the pipeline that each element runs.
    override func findIssues() -> [WorkflowIssue] { FlowChain(task, in: plan).issues() }
}
