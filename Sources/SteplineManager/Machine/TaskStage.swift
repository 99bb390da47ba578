/// The stage of a task in its manager.
///
/// The usual order is `notStarted`, `delayed`, `awaitingTurn`, `intercepting`, `held`, `ready`, `executing`, `asked`,
/// `ended`. Stages without an effect are skipped. A requeued task returns from `reacting` or `backingOff` to
/// `awaitingTurn` or `ready`. Every stage can move to `ended`.
enum TaskStage {
    /// The task waits for `start()`.
    case notStarted
    /// The task waits for the end of its delay.
    case delayed
    /// The task waits for the interceptors.
    case awaitingTurn
    /// The interceptors are being asked about the task.
    case intercepting
    /// The interceptor at this position holds the task.
    case held(by: Int)
    /// The task is ready and waits for a slot.
    case ready
    /// An attempt is running; its outcome is open.
    case executing
    /// The reactors are being asked about the result, or will be.
    case asked
    /// The task waits for the runs that it triggered.
    case reacting
    /// The task waits for the end of its back-off.
    case backingOff
    /// The task has ended.
    case ended(TaskState.End)

    /// The end; nil before it.
    var end: TaskState.End? { if case .ended(let end) = self { end } else { nil } }

    /// Returns whether the interceptor at this position holds the task.
    func isHeld(by position: Int) -> Bool {
        if case .held(position) = self { true } else { false }
    }
}
