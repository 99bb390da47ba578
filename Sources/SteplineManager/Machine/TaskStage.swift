/// Where a task is on its way through its manager.
enum TaskStage {
    /// It waits for `start()`.
    case notStarted
    /// Its begin is put off.
    case delayed
    /// It waits for its turn with the interceptors.
    case awaitingTurn
    /// The interceptors are being asked about it.
    case intercepting
    /// The interceptor of this position holds it.
    case held(by: Int)
    /// It could begin, and stands in line.
    case ready
    /// The outcome of an attempt is open.
    case executing
    /// The reactors are asked about its result, or are to be.
    case asked
    /// It waits for the runs that it triggered.
    case reacting
    /// It waits before it is run again.
    case backingOff
    /// It has ended.
    case ended(TaskState.End)

    /// How it has ended; nil if it hasn't.
    var end: TaskState.End? { if case .ended(let end) = self { end } else { nil } }

    /// Whether the interceptor of this position holds it.
    func isHeld(by position: Int) -> Bool {
        if case .held(position) = self { true } else { false }
    }
}
