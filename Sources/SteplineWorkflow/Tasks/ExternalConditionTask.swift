import SteplineSupport

/// A task that somebody else fulfils: a choice of the user, an answer, an event from outside.
///
/// It holds no thread while it waits.
public final class ExternalConditionTask: WorkflowTask, @unchecked Sendable {  // what it adds is constant
    /// What happens when it is run before it is fulfilled.
    public enum WhenUnfulfilled: Sendable, Hashable {
        /// It waits.
        case wait
        /// It fails with `.conditionNotFulfilled`; fulfilling it later makes it run again.
        case fail
    }

    /// What happens when it is run before it is fulfilled.
    public let whenUnfulfilled: WhenUnfulfilled

    /// Makes a condition that isn't fulfilled.
    public init(
        name: String? = nil, whenUnfulfilled: WhenUnfulfilled = .wait, options: TaskOptions = .init()
    ) {
        self.whenUnfulfilled = whenUnfulfilled
        super.init(name: name, options: options)
    }

    /// Whether it is fulfilled.
    public var isFulfilled: Bool {
        let (core, index, past) = face.withLock { face in
            (face.core, Int(face.index), face.past?.past.isFulfilled ?? false)
        }
        return core?.machine.withLock { $0.nodes[index].flags.contains(.fulfilled) } ?? past
    }

    /// Fulfils the condition, once; false if it was already, and the first result stays.
    ///
    /// A Ready task is started by this, an Executing one finishes, a Failed or Cancelled one is retried; Pending
    /// and without a workflow it is remembered.
    @discardableResult
    public func fulfill(with result: (any Sendable)? = nil) -> Bool {
        let (core, index) = face.withLock { face in (face.core, face.index) }
        if let core {
            let time = core.time()
            return core.send { $0.fulfill(index, with: result, at: time) }
        }
        return face.withLock { face in
            let box = face.makePast()
            guard !box.past.isFulfilled else { return false }
            box.past.isFulfilled = true
            box.past.fulfilment = result
            return true
        }
    }

    override var hasHooks: Bool { false }

    override var nodeFlags: TaskNode.Flags {
        whenUnfulfilled == .fail ? [.condition, .failsUnfulfilled] : .condition
    }
}

extension WorkflowState {
    fileprivate mutating func fulfill(_ number: Int32, with result: (any Sendable)?, at time: Int64) -> Bool {
        let index = Int(number)
        guard !nodes[index].flags.contains(.fulfilled) else { return false }
        nodes[index].flags.insert(.fulfilled)
        tables.fulfilments[number] = .some(result)
        count(.fulfilled, index)
        switch nodes[index].state {
        case .ready: startReady(index)
        case .executing:
            attemptEnded(number, attempt: nodes[index].attempt, .finished(result), at: time)
        case .failed, .cancelled: send(.retry, to: [number])
        default: break
        }
        return true
    }

    /// Runs a condition: what it was fulfilled with, or that it failed, or nothing while it waits.
    mutating func runCondition(_ job: TaskJob) -> ConditionRun {
        let index = Int(job.index)
        guard mayBegin(job) else { return .waits }
        if nodes[index].flags.contains(.fulfilled) {
            return .fulfilled(tables.fulfilments[job.index] ?? nil)
        }
        if nodes[index].flags.contains(.failsUnfulfilled) { return .fails(name(index)) }
        nodes[index].flags.insert(.waitsOutside)
        bodyEnded(index)
        return .waits
    }
}

enum ConditionRun {
    case fulfilled((any Sendable)?)
    case fails(String)
    case waits
}
