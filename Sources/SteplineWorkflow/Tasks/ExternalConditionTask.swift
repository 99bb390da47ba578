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
    private let valueType: (any Sendable.Type)?

    /// Makes a condition that isn't fulfilled; `type` is that of the values that fulfil it, where that is known.
    public init(
        name: String? = nil, of type: (any Sendable.Type)? = nil,
        whenUnfulfilled: WhenUnfulfilled = .wait, options: TaskOptions = .init()
    ) {
        self.whenUnfulfilled = whenUnfulfilled
        valueType = type
        super.init(name: name, options: options)
    }

    /// The type given when it was made.
    public override var resultType: (any Sendable.Type)? { valueType }

    /// Whether it is fulfilled.
    public var isFulfilled: Bool {
        let (core, number, past) = face.withLock { face in
            (face.core, face.number, face.past?.past.isFulfilled ?? false)
        }
        return core?.look { $0.rare.fulfilments[number] != nil } ?? past
    }

    /// Fulfils the condition, once; false if it was already, and the first result stays.
    ///
    /// A Ready task is started by this, an Executing one finishes, a Failed or Cancelled one is retried; Pending
    /// and without a workflow it is remembered.
    @discardableResult
    public func fulfill(with result: (any Sendable)? = nil) -> Bool {
        if let (core, number) = home {
            return core.change { $0.fulfill(number, with: result, &$1) }
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

    override var traits: TaskNode.Traits { .condition }
}
