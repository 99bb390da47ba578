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
    public var progress: WorkflowProgress {
        core.machine.withLock { machine in
            let total = machine.nodes.count
            let finished = machine.counts[.finished]
            var done = Double(finished)
            for (number, progress) in machine.tables.progress
            where machine.nodes[Int(number)].state == .executing
                && Int(machine.nodes[Int(number)].attempt) == progress.attempt
            {
                done += min(progress.fraction, 0.999)
            }
            return WorkflowProgress(
                total: total, finished: finished, executing: machine.counts[.executing],
                failed: machine.counts[.failed], cancelled: machine.counts[.cancelled],
                fraction: total == 0 ? 1 : done / Double(total)
            )
        }
    }
}
