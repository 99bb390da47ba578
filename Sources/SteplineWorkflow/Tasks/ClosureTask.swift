import SteplineSupport

/// The object of a task that was added as a closure; created on demand.
final class ClosureTask: WorkflowTask, @unchecked Sendable {  // adds nothing
    init(in core: WorkflowCore, at number: Int32, options: TaskOptions) {
        super.init()
        // The task is in the workflow already; the object only refers to it.
        face.withLock { face in
            face.owner = core
            face.number = number
            face.options = options
        }
    }

    override var hasHooks: Bool { false }
}
