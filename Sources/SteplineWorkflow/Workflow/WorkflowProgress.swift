import SteplineSupport

/// How far a workflow is.
public struct WorkflowProgress: Sendable, Hashable {
    /// How many tasks there are.
    public let total: Int
    /// How many are Finished.
    public let finished: Int
    /// How many run.
    public let executing: Int
    /// How many have failed for good.
    public let failed: Int
    /// How many were cancelled.
    public let cancelled: Int
    /// How much is done, from 0 to 1, with what running bodies have reported; 1 exactly when all are Finished.
    public let fraction: Double
}

extension Workflow {
    /// How far the workflow is, as of one instant.
    public var progress: WorkflowProgress { core.look { $0.progress(of: nil) } }
}
