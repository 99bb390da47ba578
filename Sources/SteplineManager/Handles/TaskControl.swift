import SteplineEngine
import SteplineSupport

/// The messages of handles, bodies and completions to the manager of their task.
///
/// ``ManagerCore`` is the only implementation. Handles don't name it, so that they and the machine are understood
/// apart. Every method may be called on any thread.
protocol TaskControl: AnyObject, Sendable {
    /// Whether the manager is still referenced.
    var isOwned: Bool { get }

    func state(of record: TaskRecord) -> TaskState
    func attempt(of record: TaskRecord) -> Int
    func explanation(of record: TaskRecord) -> Explanation
    /// Returns a reader of the states from now on, which is finished at once if the task has ended.
    func states(of record: TaskRecord) -> EventStream<TaskState>
    /// Returns the outcome of a task; nil before its end.
    func outcome<Success>(of record: TypedRecord<Success>) -> Outcome<Success>?
    /// Returns the reason of a cancelled task; nil for any other.
    func cancellation(of record: TaskRecord) -> CancellationReason?

    func start(_ record: TaskRecord)
    func setPriority(of record: TaskRecord, to priority: Priority)
    /// Ends a task as cancelled; returns false if it had ended.
    func cancel(_ record: TaskRecord, _ reason: CancellationReason) -> Bool

    func add(_ callback: Callbacks<Void>.Registration, to record: TaskRecord) -> Subscription
    /// Removes all callbacks of an owner that have not begun.
    func removeCallbacks(of owner: AnyObject, from record: TaskRecord)
    /// Keeps a waiter for the end and its line in the log; returns false if both have come.
    func addWaiter(_ waiter: any Waiter, to record: TaskRecord) -> Bool
    func removeWaiter(_ waiter: any Waiter, from record: TaskRecord)

    /// Frees the slot of a body that waits for another task of this manager.
    func lendSlot(of record: TaskRecord, attempt: UInt32)
    func takeBackSlot(of record: TaskRecord, attempt: UInt32)
    /// Records that the code of a callback task has returned, and is to call its completion.
    func codeReturned(_ record: TaskRecord, attempt: UInt32)
    /// Reports that a completion was called again, or too late.
    func tellLateEnd(of record: TaskRecord, attempt: UInt32)

    /// Performs `work` as a run of an interceptor; see ``AnyTaskHandle/holding(by:atMost:for:ending:)``.
    func hold(
        by interceptor: any AnyObject & Interceptor, atMost limit: Duration,
        for work: @escaping @Sendable () async throws -> Void, ending: @escaping @Sendable () -> Void)
}
