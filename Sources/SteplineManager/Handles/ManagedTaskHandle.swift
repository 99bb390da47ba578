public import SteplineSupport

/// The interface that ``TaskHandle`` and ``AnyTaskHandle`` share.
///
/// A handle stands for one adding of a task. Everything may be called from any thread. Once the task has ended, calls
/// that would change the task do nothing.
public protocol ManagedTaskHandle: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible {
    /// The handle without the type of its result.
    var erased: AnyTaskHandle { get }
}

extension ManagedTaskHandle {
    /// Which adding it is.
    public var identifier: ManagedTaskID { erased.record.identifier }

    /// The task's name.
    public var name: String { erased.record.name }

    /// The words by which it can be found.
    public var tags: Set<String> { erased.record.tags }

    /// Where the task is.
    public var state: TaskState { erased.control.state(of: erased.record) }

    /// The attempt under way, or the last; 0 before the first.
    public var attempt: Int { erased.control.attempt(of: erased.record) }

    /// Each change of the state from now on, in order; ends behind `finished`.
    public var states: some AsyncSequence<TaskState, Never> & Sendable {
        erased.control.states(of: erased.record)
    }

    /// Begins a task that was added not to start, or ends its delay; otherwise nothing happens.
    public func start() { erased.control.start(erased.record) }

    /// Ends the task as cancelled; false if it had ended before, and then that outcome stands.
    ///
    /// If it came first, no success or failure callback is called any more. If not, those callbacks come, but where
    /// this is called, on the queue that they were asked for, none begins once this has returned.
    @discardableResult
    public func cancel(_ reason: CancellationReason = .requested) -> Bool {
        erased.control.cancel(erased.record, reason)
    }

    /// Moves a waiting task among those that could begin.
    public func setPriority(_ priority: Priority) {
        erased.control.setPriority(of: erased.record, to: priority)
    }

    /// Explains why the task waits, or how it ended.
    public func explain() -> Explanation { erased.control.explanation(of: erased.record) }

    /// The identifier: `handle.0.3`.
    public var description: String { identifier.description }

    /// The identifier with name, state and attempt, and `<unowned>` once the manager is gone.
    public var debugDescription: String {
        "\(identifier) \(name) \(state) attempt \(attempt)" + (erased.control.isOwned ? "" : " <unowned>")
    }

    /// Equal if they are of the same adding.
    public static func == (left: Self, right: Self) -> Bool { left.identifier == right.identifier }

    /// Hashes the identifier.
    public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}
