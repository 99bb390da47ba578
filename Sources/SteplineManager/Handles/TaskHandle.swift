public import Dispatch
import SteplineSupport

/// One adding of a task: tells its state and result, starts and cancels it.
///
/// The manager keeps it until it ends, so it may be dropped; it does not keep its manager. Everything may be
/// called from any thread.
public final class TaskHandle<Success: Sendable>: Sendable, Hashable, CustomStringConvertible {
    let record: TypedRecord<Success>

    init(_ record: TypedRecord<Success>) {
        self.record = record
    }

    /// Which adding it is.
    public var identifier: ManagedTaskID { record.identifier }

    /// The handle without the type of its result.
    public var erased: AnyTaskHandle { AnyTaskHandle(record) }

    /// Where the task is.
    public var state: TaskState { erased.state }

    /// The attempt under way, or the last; 0 before the first.
    public var attempt: Int { erased.attempt }

    /// Each change of the state from now on, in order; ends behind `finished`.
    public var states: some AsyncSequence<TaskState, Never> & Sendable { record.stateStream() }

    /// Begins a task that was added not to start, or ends its delay; otherwise nothing happens.
    public func start() { erased.start() }

    /// Ends the task as cancelled; once this has returned, no other end can come.
    public func cancel(because reason: String? = nil) { erased.cancel(because: reason) }

    /// Moves a waiting task among those that could begin.
    public func setPriority(_ priority: TaskManager.Priority) { erased.setPriority(priority) }

    /// What the task waits for, or how it ended, in a sentence.
    public func explain() -> String { erased.explain() }

    /// The result, if the task has ended.
    public var currentResult: Result<Success, any Error>? {
        record.core.machine.withLock { _ in record.outcome == nil ? nil : record.result }?.result
    }

    /// Replaces the completion given to `add`; false, and nothing changes, if the end has been told.
    @discardableResult
    public func setCompletion(
        on queue: DispatchQueue? = nil, _ body: @escaping @Sendable (Result<Success, any Error>) -> Void
    ) -> Bool {
        record.core.machine.withLock { _ in
            guard record.outcome == nil else { return false }
            let context =
                queue.map(CallbackContext.init) ?? record.completion?.context ?? CallbackContext(nil)
            record.completion = record.callback(on: context, body)
            return true
        }
    }

    /// Adds a callback, called after the completion, in order of registration.
    ///
    /// On an ended handle it is called at once, on its queue or the caller's thread.
    public func onResult(
        on queue: DispatchQueue? = nil, _ body: @escaping @Sendable (Result<Success, any Error>) -> Void
    ) {
        let context = CallbackContext(queue)
        let ended: Result<Success, any Error>? = record.core.machine.withLock { _ in
            if record.outcome != nil { return record.result?.result }
            record.observers.append(record.callback(on: context, body))
            return nil
        }
        if let ended { context.perform { body(ended) } }
    }

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
