import SteplineSupport

/// A task that is fulfilled from outside, for example by a user's choice or an external event.
///
/// It occupies no thread while it waits.
public final class ExternalConditionTask: WorkflowTask, @unchecked Sendable {  // what it adds is constant
    /// The behavior of a condition that runs before it is fulfilled.
    public enum WhenUnfulfilled: Sendable, Hashable {
        /// The task waits.
        case wait
        /// The task fails with `.conditionNotFulfilled`; a later fulfilment runs it again.
        case fail
    }

    /// The behavior if the condition runs before it is fulfilled.
    public let whenUnfulfilled: WhenUnfulfilled
    private let valueType: (any Sendable.Type)?
    /// Whether its time-out finishes it, instead of failing it.
    let isDelay: Bool

    /// Creates an unfulfilled condition.
    ///
    /// - Parameters:
    ///   - name: The name; nil for the default.
    ///   - type: The type of the fulfilling values, if known.
    ///   - whenUnfulfilled: The behavior before the fulfilment.
    ///   - options: The options of the task.
    public init(
        name: String? = nil, of type: (any Sendable.Type)? = nil,
        whenUnfulfilled: WhenUnfulfilled = .wait, options: TaskOptions = .init()
    ) {
        self.whenUnfulfilled = whenUnfulfilled
        valueType = type
        isDelay = false
        super.init(name: name, options: options)
    }

    /// Creates a condition that finishes at the end of a delay.
    init(name: String, delay: Duration) {
        whenUnfulfilled = .wait
        valueType = Void.self
        isDelay = true
        super.init(name: name, options: TaskOptions(timeout: delay))
    }

    /// The type given at creation.
    public override var resultType: (any Sendable.Type)? { valueType }

    /// Whether the condition is fulfilled.
    public var isFulfilled: Bool {
        let (core, number, past) = face.withLock { face in
            // The lock of the face is released before the machine's lock is taken.
            (face.core, face.number, face.past?.past.isFulfilled ?? false)
        }
        return core?.look { $0.rare.fulfilments[number] != nil } ?? past
    }

    /// Fulfils the condition, once.
    ///
    /// A Ready task starts, an Executing one finishes, and a Failed or Cancelled one is retried. A Pending task, or one
    /// without a workflow, stores the result.
    ///
    /// - Parameter result: The result of the task.
    /// - Returns: True if this call fulfilled the condition; false if it was fulfilled before.
    @discardableResult
    public func fulfill(with result: (any Sendable)? = nil) -> Bool {
        // In a workflow the machine stores the fulfilment, and starts or finishes the task.
        if let (core, number) = home {
            return core.change { $0.fulfill(number, with: result, &$1) }
        }
        // Without a workflow the task itself stores the fulfilment until it is added.
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
