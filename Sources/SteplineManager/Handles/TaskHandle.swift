public import SteplineSupport

/// The handle of one addition of a task: reports its state and outcome, starts and cancels it.
///
/// The manager retains the task until its end, so the handle can be released. The handle doesn't retain the manager.
/// All methods are callable from any thread.
public final class TaskHandle<Success: Sendable>: Sendable, Hashable, CustomStringConvertible {
    let record: TypedRecord<Success>
    let door: any TaskDoor

    init(_ record: TypedRecord<Success>, _ door: any TaskDoor) {
        self.record = record
        self.door = door
    }

    /// The identity of this addition of the task.
    public var identifier: ManagedTaskID { record.identifier }

    /// The handle without the type of its result.
    public var erased: AnyTaskHandle { AnyTaskHandle(record, door) }

    /// The current state.
    public var state: TaskState { erased.state }

    /// The current or last attempt; 0 before the first.
    public var attempt: Int { erased.attempt }

    /// The later changes of the state, in order; the sequence finishes after `finished`.
    public var states: some AsyncSequence<TaskState, Never> & Sendable { door.states(of: record) }

    /// Starts a task that was added without starting, or ends its delay; does nothing in other states.
    public func start() { erased.start() }

    /// Cancels the task.
    ///
    /// After a cancellation no success or failure callback is called. If the task had ended before, its callbacks still
    /// come. No further callback then begins on the queue of this call.
    ///
    /// - Parameter reason: The reason, which the outcome carries.
    /// - Returns: True if this call ended the task; false if it had ended before, with its own outcome.
    @discardableResult
    public func cancel(_ reason: CancellationReason = .requested) -> Bool { erased.cancel(reason) }

    /// Changes the priority of a task that waits to begin.
    public func setPriority(_ priority: Priority) { erased.setPriority(priority) }

    /// Describes what the task waits for, or how it ended.
    public func explain() -> Explanation { erased.explain() }

    /// The outcome; nil before the end.
    public var currentOutcome: Outcome<Success>? { door.outcome(of: record) }

    /// The identifier: `handle.0.3`.
    public var description: String { identifier.description }

    /// Returns whether both handles belong to the same addition.
    public static func == (left: TaskHandle, right: TaskHandle) -> Bool {
        left.identifier == right.identifier
    }

    /// Hashes the identifier.
    public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

extension TaskHandle: CustomDebugStringConvertible {
    /// The identifier with name, state and attempt, and `<unowned>` once the manager is released.
    public var debugDescription: String { erased.debugDescription }
}
