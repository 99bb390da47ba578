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
    /// The age at which an interceptor's held tasks are released, by the interceptor's position.
    case hold(Int)
    /// The age at which an interceptor's held tasks fail, by the interceptor's position.
    case holdLimit(Int)
    /// The time limit of a reactor's run.
    case run(Int)
    /// The grace period of the body of a stopped run.
    case runGrace(Int)
    /// The time limit of the current interceptor's or reactor's answer.
    case interception, asking
    /// The next check for stalls.
    case watchdog

    var purpose: ClockPurpose {
        switch self {
        case .delay, .hold: .wait
        default: .background
        }
    }
}
