import SteplineSupport

/// The settings of a task's addition, which never change.
struct TaskTerms: Sendable {
    let name: String
    let tags: Set<String>
    /// The minimum delay before interception and begin.
    var delay = Duration.zero
    /// The time limit of one attempt; nil for the task's own limit.
    var timeout: Duration?
    /// The time limit from start to end.
    var deadline: Duration?
    /// The reactor whose run added the task; this reactor isn't asked, and the task ignores suspension and pause.
    var reactor: Int?
    /// Whether an interceptor added the task, which therefore isn't intercepted.
    var skipsInterception = false
    /// The task-local values of the code that added the task.
    var values: PropagatedValues?
}
