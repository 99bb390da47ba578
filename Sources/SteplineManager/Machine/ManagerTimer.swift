/// What a manager's timers are for.
enum ManagerTimer: Hashable, Sendable {
    /// The end of a delay or a back-off.
    case delay(TaskRecord)
    /// The limit of one attempt.
    case timeout(TaskRecord)
    /// The limit of a whole task.
    case deadline(TaskRecord)
    /// The wait for a stopped body.
    case grace(TaskRecord)
    /// What an interceptor holds, by its position.
    case hold(Int)
    /// A reactor's run.
    case run(Int)
    /// The wait for the body of a reactor's stopped run.
    case runGrace(Int)
    /// The answer of the interceptor, or of the reactor, that is being asked.
    case interception, asking
    /// The next look for what neither ends nor answers.
    case watchdog
}
