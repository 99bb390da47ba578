public import SteplineSupport

/// A ``TaskHandle`` without the type of its result.
public struct AnyTaskHandle: Sendable, Hashable, CustomStringConvertible {
    let record: TaskRecord
    let door: any TaskDoor

    init(_ record: TaskRecord, _ door: any TaskDoor) {
        self.record = record
        self.door = door
    }

    /// The identity of this addition of the task.
    public var identifier: ManagedTaskID { record.identifier }

    /// The task's name.
    public var name: String { record.name }

    /// The tags, which select tasks for cancellation.
    public var tags: Set<String> { record.tags }

    /// The current state.
    public var state: TaskState { door.state(of: record) }

    /// The current or last attempt; 0 before the first.
    public var attempt: Int { door.attempt(of: record) }

    /// The later changes of the state, in order; the sequence finishes after `finished`.
    public var states: some AsyncSequence<TaskState, Never> & Sendable { door.states(of: record) }

    /// Starts a task that was added without starting, or ends its delay; does nothing in other states.
    public func start() { door.start(record) }

    /// Cancels the task.
    ///
    /// After a cancellation no success or failure callback is called. If the task had ended before, its callbacks still
    /// come. No further callback then begins on the queue of this call.
    ///
    /// - Parameter reason: The reason, which the outcome carries.
    /// - Returns: True if this call ended the task; false if it had ended before, with its own outcome.
    @discardableResult
    public func cancel(_ reason: CancellationReason = .requested) -> Bool { door.cancel(record, reason) }

    /// Changes the priority of a task that waits to begin.
    public func setPriority(_ priority: Priority) { door.setPriority(of: record, to: priority) }

    /// Describes what the task waits for, or how it ended.
    public func explain() -> Explanation { door.explanation(of: record) }

    /// The identifier: `handle.0.3`.
    public var description: String { identifier.description }

    /// Returns whether both handles belong to the same addition.
    public static func == (left: AnyTaskHandle, right: AnyTaskHandle) -> Bool {
        left.identifier == right.identifier
    }

    /// Hashes the identifier.
    public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

extension AnyTaskHandle: CustomDebugStringConvertible {
    /// The identifier with name, state and attempt, and `<unowned>` once the manager is released.
    public var debugDescription: String {
        "\(identifier) \(name) \(state) attempt \(attempt)" + (door.isOwned ? "" : " <unowned>")
    }
}
