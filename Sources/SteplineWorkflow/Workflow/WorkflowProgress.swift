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
    ///
    /// The elements of a map over a result count once their list is known. They are read after the other tasks.
    public var progress: WorkflowProgress { core.progress }
}

extension WorkflowCore {
    /// The progress of all tasks, with the elements of maps.
    var progress: WorkflowProgress {
        let (own, maps) = look { ($0.progress(of: nil), $0.maps) }
        return maps.reduce(own) { $0.adding($1.core.progress) }
    }
}

extension WorkflowProgress {
    /// Returns the progress of both together.
    fileprivate func adding(_ other: WorkflowProgress) -> WorkflowProgress {
        // A map that doesn't know its list has no tasks, and a fraction of 1.
        guard other.total > 0 else { return self }
        let sum = total + other.total
        return WorkflowProgress(
            total: sum, finished: finished + other.finished, executing: executing + other.executing,
            failed: failed + other.failed, cancelled: cancelled + other.cancelled,
            fraction: (fraction * Double(total) + other.fraction * Double(other.total)) / Double(sum))
    }
}
