import SteplineSupport

/// A ``TaskHandle`` without the type of its result.
public struct AnyTaskHandle: Sendable, Hashable, CustomStringConvertible {
    let record: TaskRecord

    init(_ record: TaskRecord) {
        self.record = record
    }

    /// Which adding it is.
    public var identifier: ManagedTaskID { record.identifier }

    /// The task's name.
    public var name: String { record.name }

    /// The words by which it can be found.
    public var tags: Set<String> { record.tags }

    /// Where the task is.
    public var state: TaskState { record.core.machine.withLock { $0.state(of: record) } }

    /// The attempt under way, or the last; 0 before the first.
    public var attempt: Int { record.core.machine.withLock { _ in record.attempt } }

    /// Each change of the state from now on, in order; ends behind `finished`.
    public var states: some AsyncSequence<TaskState, Never> & Sendable { record.stateStream() }

    /// Begins a task that was added not to start, or ends its delay; otherwise nothing happens.
    public func start() { record.core.update(on: .shared) { $0.start(record, byUser: true) } }

    /// Ends the task as cancelled; once this has returned, no other end can come.
    public func cancel(because reason: String? = nil) {
        record.core.update { $0.cancel(record, reason: reason) }
    }

    /// Moves a waiting task among those that could begin.
    public func setPriority(_ priority: TaskManager.Priority) {
        record.core.update(on: .shared) { $0.setPriority(record, priority) }
    }

    /// What the task waits for, or how it ended, in a sentence.
    public func explain() -> String { record.core.machine.withLock { $0.explain(record) } }

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
        let (state, attempt, isGone) = record.core.machine.withLock {
            ($0.state(of: record), record.attempt, $0.isReleased)
        }
        return "\(identifier) \(name) \(state) attempt \(attempt)" + (isGone ? " <unowned>" : "")
    }
}

extension TaskRecord {
    /// A reader of the states from now on, ended at once if the record has.
    func stateStream() -> EventStream<TaskState> {
        let stream = EventStream<TaskState>()
        let hasEnded = core.machine.withLock { _ in
            guard outcome == nil else { return true }
            var readers = readers ?? EventFanout()
            readers.add(stream)
            self.readers = readers
            return false
        }
        if hasEnded { stream.finish()?() }
        return stream
    }
}
