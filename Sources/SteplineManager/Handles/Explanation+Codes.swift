public import SteplineSupport

extension Explanation.Code {
    /// The task waits for the end of its delay.
    public static let delayed = Explanation.Code("delayed")
    /// The task waits for the interceptors, or for their answers.
    public static let interception = Explanation.Code("interception")
    /// An interceptor holds it.
    public static let held = Explanation.Code("held")
    /// The task waits until the manager is resumed.
    public static let paused = Explanation.Code("paused")
    /// The task waits for the end of a suspending run.
    public static let suspended = Explanation.Code("suspended")
    /// The task waits for the reactors' answers, or for the runs that it triggered.
    public static let reaction = Explanation.Code("reaction")
    /// No task is unfinished.
    public static let idle = Explanation.Code("idle")
}
