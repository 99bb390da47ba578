public import Foundation
import SteplineEngine
import SteplineSupport

extension WorkflowTask {
    /// The workflow that it is in.
    public var workflow: Workflow? { home.flatMap { home in home.core.look { $0.workflow } } }

    /// The name given, or the class and, once added, the position in the workflow.
    public var name: String {
        if let (core, number) = home { return core.look { $0.name(number) } }
        let own = face.withLock { $0.name }
        return own.isEmpty ? "\(type(of: self))" : own
    }

    /// Gives the task another name; nil for the default.
    public func rename(_ name: String?) {
        let (core, number) = face.withLock { face in
            face.name = name ?? ""
            return (face.core, face.number)
        }
        core?.look { $0.names.rename(number, name ?? "") }
    }

    /// Its place in the workflow; nil if it is in none.
    public var taskID: TaskID? { home.map { home in home.core.look { $0.taskID(home.number) } } }

    /// How it is run, as given when it was made.
    public var options: TaskOptions { face.withLock { $0.options } }

    /// Who is told of ends and failures; weak.
    public var delegate: (any WorkflowTaskDelegate)? {
        get { face.withLock { $0.extras?.delegate } }
        set {
            face.withLock { $0.makeExtras().delegate = newValue }
            if let (core, number) = home { core.look { $0.tasks.insert(.watched, number) } }
        }
    }

    /// Where its body runs; nil for where the workflow says.
    ///
    /// If the queue drops the body (`cancelAllOperations`, or the queue is gone), the task is cancelled.
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

    /// Where the task is, while its workflow lives.
    final var home: (core: WorkflowCore, number: Int32)? {
        face.withLock { face in face.core.map { ($0, face.number) } }
    }

    /// The number of the task in a workflow's machine; nil if it isn't in there.
    func place(in core: WorkflowCore) -> Int32? {
        face.withLock { $0.core === core ? $0.number : nil }
    }

    /// The workflow has ended: the task keeps what it knows.
    func leave(_ core: WorkflowCore, with past: TaskPast) {
        face.withLock { face in
            guard face.owner === core else { return }
            face.owner = nil
            face.past = PastBox(past)
        }
    }
}

extension TaskFace {
    /// The workflow that it is in; while it is being added, none yet.
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
    /// Class, address, name and state.
    public var description: String {
        let address = Unmanaged.passUnretained(self).toOpaque()
        return "<\(type(of: self)) \(address) name = \(name); state = \(state)>"
    }
}
