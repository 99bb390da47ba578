public import Foundation
public import SteplineSupport

extension WorkflowTask {
    /// The workflow that it is in.
    public var workflow: Workflow? {
        face.withLock { $0.core }.flatMap { core in core.machine.withLock { $0.workflow } }
    }

    /// The name given, or the class and, once added, the position in the workflow.
    public var name: String {
        let (core, index, own) = face.withLock { ($0.core, $0.index, $0.name) }
        if let core { return core.machine.withLock { $0.name(Int(index)) } }
        return own.isEmpty ? "\(type(of: self))" : own
    }

    /// Gives the task another name; nil for the default.
    public func rename(_ name: String?) {
        let (core, index) = face.withLock { face in
            face.name = name ?? ""
            return (face.core, face.index)
        }
        core?.machine.withLock { $0.names[Int(index)] = name ?? "" }
    }

    /// Its place in the workflow; nil if it is in none.
    public var taskID: TaskID? {
        let (core, index) = face.withLock { ($0.core, $0.index) }
        return core.map { TaskID(around: $0.options.path, position: Int(index) + 1) }
    }

    /// How it is run, as given when it was made.
    public var options: TaskOptions { face.withLock { $0.options } }

    /// Who is told of ends and failures; weak.
    public var delegate: (any WorkflowTaskDelegate)? {
        get { face.withLock { $0.extras?.delegate } }
        set {
            face.withLock { $0.makeExtras().delegate = newValue }
            heed { $0.nodes[$1].flags.insert(.tells) }
        }
    }

    /// Where its body runs; nil for where the workflow says.
    public var operationQueue: OperationQueue? {
        get { face.withLock { $0.extras?.operationQueue } }
        set {
            face.withLock { $0.makeExtras().operationQueue = newValue }
            heed { $0.heedQueue($1, $0.tables.hasQueue) }
        }
    }

    /// Calls `observer` for each change of state, until the subscription is ended.
    ///
    /// On the thread of the event, or on the workflow's `callbackQueue`. A reset of a task that may run is two
    /// changes, to Pending and to Ready.
    public func observe(_ observer: @escaping @Sendable (Change) -> Void) -> Subscription {
        let id = face.withLock { face in
            let extras = face.makeExtras()
            extras.lastObserver += 1
            extras.observers.append((extras.lastObserver, observer))
            return extras.lastObserver
        }
        heed { $0.nodes[$1].flags.insert(.tells) }
        return Subscription { [weak self] in
            self?.face.withLock { face in
                let dropped = face.extras?.observers.filter { $0.id == id }
                face.extras?.observers.removeAll { $0.id == id }
                return dropped
            }
        }
    }

    var observers: [@Sendable (Change) -> Void] {
        face.withLock { $0.extras?.observers.map(\.call) ?? [] }
    }

    /// Changes what the machine knows of the task, if it is in one.
    private func heed(_ change: (inout WorkflowState, Int) -> Void) {
        let (core, index) = face.withLock { ($0.core, $0.index) }
        core?.machine.withLock { change(&$0, Int(index)) }
    }

    /// The number of the task in a workflow's machine; nil if it isn't in there.
    func place(in core: WorkflowCore) -> Int32? {
        face.withLock { $0.core === core ? $0.index : nil }
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
