import SteplineWorkflow

/// Which tasks of a run workers have skipped: their results say so, as nobody here has been told.
struct SkipsElsewhere: Sendable {
    /// Those that may be skipped, by their names.
    private let tasks: [String: WorkflowTask]

    init(of names: Set<String>, in workflow: Workflow) {
        let found = workflow.allTasks.filter { names.contains($0.name) }
        tasks = Dictionary(found.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    }

    /// Why a task was skipped whose end that is; nil if it was run.
    func reason(of event: WorkflowEvent) -> String? {
        guard case .finished = event.kind, event.task != nil else { return nil }
        return (tasks[event.name]?.result as? FlowResult)?.skipped
    }
}
