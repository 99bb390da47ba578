import SteplineSupport

/// The progress of a workflow.
///
/// A map counts its elements, once its list is known, and not itself as well.
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
    ///
    /// The elements of a map over a result are read before the other tasks.
    public var progress: WorkflowProgress { core.progress }
}

extension WorkflowProgress {
    /// Returns the progress of both together.
    func adding(_ other: WorkflowProgress) -> WorkflowProgress {
        let sum = total + other.total
        return WorkflowProgress(
            total: sum, finished: finished + other.finished, executing: executing + other.executing,
            failed: failed + other.failed, cancelled: cancelled + other.cancelled,
            fraction: (fraction * Double(total) + other.fraction * Double(other.total)) / Double(sum))
    }

    /// Returns the same progress with a fraction of at most the given one.
    func limited(to most: Double) -> WorkflowProgress {
        WorkflowProgress(
            total: total, finished: finished, executing: executing, failed: failed, cancelled: cancelled,
            fraction: min(fraction, most))
    }
}
