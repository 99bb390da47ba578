/// A task that runs a whole workflow.
public final class SubworkflowTask: WorkflowTask, @unchecked Sendable {  // what it adds is constant
    /// The workflow inside.
    public let subworkflow: Workflow

    /// Makes a task that owns a workflow.
    public init(name: String? = nil, subworkflow: Workflow, options: TaskOptions = .init()) {
        self.subworkflow = subworkflow
        super.init(name: name, options: options)
    }
}
