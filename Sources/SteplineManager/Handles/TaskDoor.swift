import SteplineEngine
import SteplineSupport

/// What a handle asks of the manager that has its task.
protocol TaskDoor: AnyObject, Sendable {
    /// Whether somebody holds the manager.
    var isOwned: Bool { get }

    func state(of record: TaskRecord) -> TaskState
    func attempt(of record: TaskRecord) -> Int
    func explanation(of record: TaskRecord) -> Explanation
    /// A reader of the states from now on, ended at once if the task has.
    func states(of record: TaskRecord) -> EventStream<TaskState>

    func start(_ record: TaskRecord)
    func setPriority(of record: TaskRecord, to priority: Priority)
    /// Ends a task as cancelled; false if it had ended.
    func cancel(_ record: TaskRecord, _ reason: CancellationReason) -> Bool

    /// How a task has ended; nil if it hasn't.
    func outcome<Success>(of record: TypedRecord<Success>) -> Outcome<Success>?
    /// Registers a callback.
    func add(_ callback: Callbacks<Void>.Registration, to record: TaskRecord) -> Subscription
    /// Withdraws all callbacks of an owner that have not begun.
    func removeCallbacks(of owner: AnyObject, from record: TaskRecord)

    /// Keeps who waits for the end; false if it has come.
    func addWaiter(_ waiter: any Waiter, to record: TaskRecord) -> Bool
    func removeWaiter(_ waiter: any Waiter, from record: TaskRecord)

    /// A body waits for another task of its manager: its slot is free meanwhile.
    func lendSlot(of record: TaskRecord, attempt: UInt32)
    func takeBackSlot(of record: TaskRecord, attempt: UInt32)
    /// The code of a callback task has returned, and is to call its completion.
    func codeReturned(_ record: TaskRecord, attempt: UInt32)
    /// A completion was called again, or too late.
    func tellLateEnd(of record: TaskRecord, attempt: UInt32)
}
