import SteplineWorkflow

/// The tasks of a run that workers have skipped, read from their results.
struct SkipsElsewhere: Sendable {
    /// The tasks that may be skipped, by name.
    private let tasks: [String: WorkflowTask]

    init(of names: Set<String>, in workflow: Workflow) {
        let found = workflow.allTasks.filter { names.contains($0.name) }
        tasks = Dictionary(found.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    }

    /// Returns the reason if an event ends a skipped task; nil otherwise.
    func reason(of event: WorkflowEvent) -> String? {
        guard case .finished = event.kind, event.task != nil else { return nil }
        return (tasks[event.name]?.result as? FlowResult)?.skipped
    }
}
