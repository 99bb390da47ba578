import SteplineSupport

/// The object of a task that was added as a closure, made when somebody asks for it.
final class ClosureTask: WorkflowTask, @unchecked Sendable {  // adds nothing
    init(in core: WorkflowCore, at index: Int32) {
        super.init()
        face.withLock { face in
            face.owner = core
            face.index = index
            face.options = core.machine.withLock { $0.tables.options[index] ?? TaskOptions() }
        }
    }

    override var hasHooks: Bool { false }
}
