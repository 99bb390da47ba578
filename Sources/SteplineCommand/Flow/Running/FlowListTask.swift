import SteplineJSON
import SteplinePipeline
import SteplineSupport
import SteplineWorkflow

/// A task that makes the list whose elements a mapped task runs for, where each of them is kept as a step.
final class FlowListTask: WorkflowTask, @unchecked Sendable {  // all that is stored is constant
    private let task: FlowTask
    private let plan: FlowPlan

    init(_ task: FlowTask, in plan: FlowPlan) {
        self.task = task
        self.plan = plan
        // No task of a file has a blank in its name.
        super.init(name: "\(task.name) list", options: TaskOptions(version: plan.versions[task.name] ?? 1))
    }

    override var resultType: (any Sendable.Type)? { [FlowElement].self }

    override func run() async throws -> (any Sendable)? {
        try FlowElement.list(of: task, plan, prerequisiteBag())
    }

    /// What is wrong with the pipeline that each element runs.
    override func findIssues() -> [CheckIssue] { FlowChain(task, in: plan).issues() }
}

/// An element of the list of a mapped task.
struct FlowElement: Sendable, Codable {
    let number: Int
    private let kept: FlowValue

    var value: JSON { (try? kept.forFormulas()) ?? .null }

    /// The elements of a task's list.
    static func list(of task: FlowTask, _ plan: FlowPlan, _ bag: Content) throws -> [FlowElement] {
        guard let map = task.map else { return [] }
        let scope = FlowScope(setting: plan.setting, bag: bag, input: nil)
        let value = try scope.locating { try map.list.value(by: scope.evaluator()) }
        guard let list = value.array else { throw FlowError("map wants a list, not \(value.article)") }
        return list.enumerated().map { FlowElement(number: $0, kept: .json($1)) }
    }

    /// Runs the task's steps for the element.
    func run(_ task: FlowTask, _ plan: FlowPlan, _ bag: Content) async throws -> FlowResult {
        var bag = bag
        bag[.item] = value
        bag[.index] = number
        bag[.flow] = kept
        return try await FlowChain(task, in: plan).run(bag, named: "\(task.name)[\(number)]")
    }
}
