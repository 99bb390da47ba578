public import SteplineWorkflow

/// The outcome of a durable run.
public struct DurableReport: Sendable {
    /// The identity of the run.
    public let id: RunID
    /// The report of the workflow.
    public let run: RunReport
    /// The steps that had finished before and weren't run again.
    public let restored: [String]
    /// The steps that were run, in the order in which their ends were stored.
    public let executed: [String]
    /// The steps with reused results, each with the run that produced it; see `TaskOptions.cacheLifetime`.
    public let takenOver: [String: RunID]
    /// The steps that were run again because their result was unreadable, or their files are missing or changed.
    public let unreadable: [String]
    /// The stored steps that the workflow doesn't have, such as those of renamed tasks.
    public let gone: [String]
}
