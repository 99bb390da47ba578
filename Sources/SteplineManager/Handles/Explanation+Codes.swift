public import SteplineSupport

extension Explanation.Code {
    /// Its begin is put off.
    public static let delayed = Explanation.Code("delayed")
    /// It waits for its turn with the interceptors, or for their answers.
    public static let interception = Explanation.Code("interception")
    /// An interceptor holds it.
    public static let held = Explanation.Code("held")
    /// It waits for the manager to be resumed.
    public static let paused = Explanation.Code("paused")
    /// It waits for a run that suspends the manager.
    public static let suspended = Explanation.Code("suspended")
    /// It waits for the reactors, or for the runs that it triggered.
    public static let reaction = Explanation.Code("reaction")
    /// Nothing is unfinished.
    public static let idle = Explanation.Code("idle")
}
