import SteplineSupport

/// The progress of a workflow.
///
/// A map over a collection counts its elements, and not itself as well.
public struct WorkflowProgress: Sendable, Hashable {
    /// The number of tasks.
    public let total: Int
    /// The number of Finished tasks.
    public let finished: Int
    /// The number of running tasks.
    public let executing: Int
    /// The number of tasks that have failed, and no attempt follows.
    public let failed: Int
    /// The number of cancelled tasks.
    public let cancelled: Int
    /// The completed fraction from 0 to 1, including the reports of running bodies; 1 exactly if all tasks are
    /// Finished.
    public let fraction: Double
}

extension Workflow {
    /// The progress of the workflow, from one moment.
    public var progress: WorkflowProgress { core.look { $0.progress(of: nil) } }
}
