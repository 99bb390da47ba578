public import SteplineWorkflow

/// What became of a durable run.
public struct DurableReport: Sendable {
    /// Which run.
    public let id: RunID
    /// What became of the workflow.
    public let run: RunReport
    /// The steps that had finished before, and were not run again.
    public let restored: [String]
    /// The steps that were run, in the order in which their ends were kept.
    public let executed: [String]
    /// The steps whose results were taken over, each with the run that has made it; see `TaskOptions.cacheLifetime`.
    public let takenOver: [String: RunID]
    /// The steps whose kept result could not be read, or whose files are gone or others, so that they were run again.
    public let unreadable: [String]
}
