import SteplineEngine
import SteplineSupport

/// The interface of a handle to the manager of its task.
protocol TaskDoor: AnyObject, Sendable {
    /// Whether the manager hasn't been released.
    var isOwned: Bool { get }

    func state(of record: TaskRecord) -> TaskState
    func attempt(of record: TaskRecord) -> Int
    func explanation(of record: TaskRecord) -> Explanation
    /// Returns a stream of later states, which finishes at once if the task has ended.
    func states(of record: TaskRecord) -> EventStream<TaskState>

    func start(_ record: TaskRecord)
    func setPriority(of record: TaskRecord, to priority: Priority)
    /// Cancels a task; returns false if it had ended.
    func cancel(_ record: TaskRecord, _ reason: CancellationReason) -> Bool

    /// Returns the outcome of a task; nil before its end.
    func outcome<Success>(of record: TypedRecord<Success>) -> Outcome<Success>?
    /// Registers a callback.
    func add(_ callback: Callbacks<Void>.Registration, to record: TaskRecord) -> Subscription
    /// Removes all callbacks of an owner that haven't begun.
    func removeCallbacks(of owner: AnyObject, from record: TaskRecord)

    /// Adds a waiter for the end; returns false if the task has ended.
    func addWaiter(_ waiter: any Waiter, to record: TaskRecord) -> Bool
    func removeWaiter(_ waiter: any Waiter, from record: TaskRecord)

    /// Frees the slot of a body while the body waits for another task of its manager.
    func lendSlot(of record: TaskRecord, attempt: UInt32)
    func takeBackSlot(of record: TaskRecord, attempt: UInt32)
    /// Records that the code of a callback task has returned, so the task waits for its completion.
    func codeReturned(_ record: TaskRecord, attempt: UInt32)
    /// Reports a completion that was called again or too late.
    func tellLateEnd(of record: TaskRecord, attempt: UInt32)
}
