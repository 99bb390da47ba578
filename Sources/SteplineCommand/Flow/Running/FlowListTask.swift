import SteplineJSON
import SteplinePipeline
import SteplineSupport
import SteplineWorkflow

/// The task that computes the list of a mapped task, where elements are stored as steps.
final class FlowListTask: WorkflowTask, @unchecked Sendable {  // all stored properties are constant
    private static let suffix = " list"

    /// Returns the name of the map for a list.
    static func map(ofList name: String) -> String {
        name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name
    }

    /// Returns the name of the list for a map.
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
        // The elements of a growing map are charged as they run.
        if !task.grows { try plan.take(elements.count, elementsOf: task) }
        return elements
    }
}
