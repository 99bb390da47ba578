import SteplineEngine
import SteplineSupport

/// The purposes of a manager's timers.
enum ManagerTimer: EngineTimer {
    /// The end of a delay or a back-off.
    case delay(TaskRecord)
    /// The time limit of one attempt.
    case timeout(TaskRecord)
    /// The time limit of a whole task.
    case deadline(TaskRecord)
    /// The grace period of a stopped body.
    case grace(TaskRecord)
    /// The age limit of an interceptor's held tasks, by the interceptor's position.
    case hold(Int)
    /// The time limit of a reactor's run.
    case run(Int)
    /// The grace period of the body of a stopped run.
    case runGrace(Int)
    /// The time limit of the current interceptor's or reactor's answer.
    case interception, asking
    /// The next check for stalls.
    case watchdog

    var purpose: ClockPurpose {
        if case .delay = self { .wait } else { .limit }
    }
}
