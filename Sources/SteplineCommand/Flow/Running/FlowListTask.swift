import SteplineJSON
import SteplinePipeline
import SteplineSupport
import SteplineWorkflow

/// A task that makes the list whose elements a mapped task runs for, where each of them is kept as a step.
final class FlowListTask: WorkflowTask, @unchecked Sendable {  // all that is stored is constant
    private static let suffix = " list"

    /// The name of the map that a list is of.
    static func map(ofList name: String) -> String {
        name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name
    }

    /// The name of the list of a map.
    static func name(ofList map: String) -> String { map + suffix }

    private let task: FlowTask
    private let plan: FlowPlan

    init(_ task: FlowTask, in plan: FlowPlan) {
        self.task = task
        self.plan = plan
        super.init(
            name: Self.name(ofList: task.name), options: TaskOptions(version: plan.versions[task.name] ?? 1))
    }

    override var resultType: (any Sendable.Type)? { [FlowElement].self }

    override func run() async throws -> (any Sendable)? {
        let elements = try FlowElement.list(of: task, plan, plan.bag(of: prerequisites))
        try plan.take(elements.count, elementsOf: task)
        return elements
    }
}
