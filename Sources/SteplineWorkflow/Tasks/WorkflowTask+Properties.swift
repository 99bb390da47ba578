public import Foundation
import SteplineEngine
import SteplineSupport

extension WorkflowTask {
    /// The workflow of the task.
    public var workflow: Workflow? { home.flatMap { home in home.core.look { $0.workflow } } }

    /// The given name; otherwise the class, and after the addition the position in the workflow.
    public var name: String {
        // The default name contains the position, which only the machine knows.
        if let (core, number) = home { return core.look { $0.name(number) } }
        let own = face.withLock { $0.name }
        return own.isEmpty ? "\(type(of: self))" : own
    }

    /// Changes the name; nil restores the default.
    public func rename(_ name: String?) {
        let (core, number) = face.withLock { face in
            face.name = name ?? ""
            return (face.core, face.number)
        }
        // The machine has its own copy of the name, for events without the object.
        core?.look { $0.names.rename(number, name ?? "") }
    }

    /// The position in the workflow; nil without a workflow.
    public var taskID: TaskID? { home.map { home in home.core.look { $0.taskID(home.number) } } }

    /// The options given at creation.
    public var options: TaskOptions { face.withLock { $0.options } }

    /// The observer of ends and failures, referenced weakly.
    public var delegate: (any WorkflowTaskDelegate)? {
        get { face.withLock { $0.extras?.delegate } }
        set {
            face.withLock { $0.makeExtras().delegate = newValue }
            // From now on the machine reports this task's changes.
            if let (core, number) = home { core.look { $0.tasks.insert(.watched, number) } }
        }
    }

    /// The operation queue of the body; nil for the workflow's setting.
    ///
    /// If the queue drops the body (`cancelAllOperations`, or the queue was freed), the task is cancelled.
    public var queue: OperationQueue? {
        get { face.withLock { $0.extras?.queue } }
        set {
            let old = face.withLock { face in
                let extras = face.makeExtras()
                defer { extras.queue = newValue }
                return extras.queue
            }
            if let (core, number) = home { core.look { $0.updateQueue(of: number, hasOwn: newValue != nil) } }
            // A user's queue, which may be freed by that: after the locks.
            withExtendedLifetime(old) {}
        }
    }

    /// The workflow and number of the task, as long as the workflow lives.
    final var home: (core: WorkflowCore, number: Int32)? {
        face.withLock { face in face.core.map { ($0, face.number) } }
    }

    /// Returns the number of the task in a workflow's machine; nil for another workflow.
    func place(in core: WorkflowCore) -> Int32? {
        face.withLock { $0.core === core ? $0.number : nil }
    }

    /// Stores the task's state when its workflow ends.
    func leave(_ core: WorkflowCore, with past: TaskPast) {
        face.withLock { face in
            // The task may belong to another workflow by now.
            guard face.owner === core else { return }
            // The workflow is gone: the task can be added to another one.
            face.owner = nil
            face.past = PastBox(past)
        }
    }
}

extension TaskFace {
    /// The workflow; nil while the task is being added.
    var core: WorkflowCore? { isReserved ? nil : owner?.core }

    mutating func makeExtras() -> TaskExtras {
        if let extras { return extras }
        let made = TaskExtras()
        extras = made
        return made
    }

    mutating func makePast() -> PastBox {
        if let past { return past }
        let made = PastBox(TaskPast())
        past = made
        return made
    }
}

extension WorkflowTask: CustomStringConvertible {
    /// The class, address, name and state.
    public var description: String {
        let address = Unmanaged.passUnretained(self).toOpaque()
        return "<\(type(of: self)) \(address) name = \(name); state = \(state)>"
    }
}
