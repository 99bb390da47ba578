public import SteplineSupport

/// One adding of a task: tells its state and outcome, starts and cancels it.
///
/// The manager keeps it until it ends, so it may be dropped; it does not keep its manager. Everything may be
/// called from any thread.
public final class TaskHandle<Success: Sendable>: Sendable, Hashable, CustomStringConvertible {
    let record: TypedRecord<Success>
    let door: any TaskDoor

    init(_ record: TypedRecord<Success>, _ door: any TaskDoor) {
        self.record = record
        self.door = door
    }

    /// Which adding it is.
    public var identifier: ManagedTaskID { record.identifier }

    /// The handle without the type of its result.
    public var erased: AnyTaskHandle { AnyTaskHandle(record, door) }

    /// Where the task is.
    public var state: TaskState { erased.state }

    /// The attempt under way, or the last; 0 before the first.
    public var attempt: Int { erased.attempt }

    /// Each change of the state from now on, in order; ends behind `finished`.
    public var states: some AsyncSequence<TaskState, Never> & Sendable { door.states(of: record) }

    /// Begins a task that was added not to start, or ends its delay; otherwise nothing happens.
    public func start() { erased.start() }

    /// Ends the task as cancelled; false if it had ended before, and then that outcome stands.
    ///
    /// If it came first, no success or failure callback is called any more. If not, those callbacks come, but where
    /// this is called, on the queue that they were asked for, none begins once this has returned.
    @discardableResult
    public func cancel(_ reason: CancellationReason = .requested) -> Bool { erased.cancel(reason) }

    /// Moves a waiting task among those that could begin.
    public func setPriority(_ priority: Priority) { erased.setPriority(priority) }

    /// What the task waits for, or how it ended.
    public func explain() -> Explanation { erased.explain() }

    /// How the task has ended; nil if it hasn't.
    public var currentOutcome: Outcome<Success>? { door.outcome(of: record) }

    /// The identifier: `handle.0.3`.
    public var description: String { identifier.description }

    /// Equal if they are of the same adding.
    public static func == (left: TaskHandle, right: TaskHandle) -> Bool {
        left.identifier == right.identifier
    }

    /// Hashes the identifier.
    public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

extension TaskHandle: CustomDebugStringConvertible {
    /// The identifier with name, state and attempt, and `<unowned>` once the manager is gone.
    public var debugDescription: String { erased.debugDescription }
}
