public import SteplineSupport

/// A ``TaskHandle`` without the type of its result.
public struct AnyTaskHandle: Sendable, Hashable, CustomStringConvertible {
    let record: TaskRecord
    let door: any TaskDoor

    init(_ record: TaskRecord, _ door: any TaskDoor) {
        self.record = record
        self.door = door
    }

    /// Which adding it is.
    public var identifier: ManagedTaskID { record.identifier }

    /// The task's name.
    public var name: String { record.name }

    /// The words by which it can be found.
    public var tags: Set<String> { record.tags }

    /// Where the task is.
    public var state: TaskState { door.state(of: record) }

    /// The attempt under way, or the last; 0 before the first.
    public var attempt: Int { door.attempt(of: record) }

    /// Each change of the state from now on, in order; ends behind `finished`.
    public var states: some AsyncSequence<TaskState, Never> & Sendable { door.states(of: record) }

    /// Begins a task that was added not to start, or ends its delay; otherwise nothing happens.
    public func start() { door.start(record) }

    /// Ends the task as cancelled; false if it had ended before, and then that outcome stands.
    ///
    /// If it came first, no success or failure callback is called any more. If not, those callbacks come, but where
    /// this is called, on the queue that they were asked for, none begins once this has returned.
    @discardableResult
    public func cancel(_ reason: CancellationReason = .requested) -> Bool { door.cancel(record, reason) }

    /// Moves a waiting task among those that could begin.
    public func setPriority(_ priority: Priority) { door.setPriority(of: record, to: priority) }

    /// What the task waits for, or how it ended.
    public func explain() -> Explanation { door.explanation(of: record) }

    /// The identifier: `handle.0.3`.
    public var description: String { identifier.description }

    /// Equal if they are of the same adding.
    public static func == (left: AnyTaskHandle, right: AnyTaskHandle) -> Bool {
        left.identifier == right.identifier
    }

    /// Hashes the identifier.
    public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

extension AnyTaskHandle: CustomDebugStringConvertible {
    /// The identifier with name, state and attempt, and `<unowned>` once the manager is gone.
    public var debugDescription: String {
        "\(identifier) \(name) \(state) attempt \(attempt)" + (door.isOwned ? "" : " <unowned>")
    }
}
