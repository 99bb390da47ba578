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
            let done = machine.tables.progress.keys.reduce(Double(machine.counts[.finished])) {
                $0 + machine.reported(Int($1))
            }
            return WorkflowProgress(
                total: total, finished: machine.counts[.finished], executing: machine.counts[.executing],
                failed: machine.counts[.failed], cancelled: machine.counts[.cancelled],
                fraction: total == 0 ? 1 : done / Double(total)
            )
        }
    }
}

extension WorkflowState {
    /// How far some of the tasks are.
    func progress(of tasks: [Int]) -> WorkflowProgress {
        func count(_ state: WorkflowTask.State) -> Int {
            tasks.lazy.filter { nodes[$0].state == state }.count
        }
        let finished = count(.finished)
        let done = tasks.reduce(Double(finished)) { $0 + reported($1) }
        return WorkflowProgress(
            total: tasks.count, finished: finished, executing: count(.executing), failed: count(.failed),
            cancelled: count(.cancelled), fraction: tasks.isEmpty ? 1 : done / Double(tasks.count)
        )
    }

    /// What the body of a task that Executes has told of its progress, short of having ended.
    fileprivate func reported(_ index: Int) -> Double {
        guard nodes[index].state == .executing,
            let progress = tables.progress[Int32(truncatingIfNeeded: index)],
            Int(nodes[index].attempt) == progress.attempt
        else { return 0 }
        return min(progress.fraction, 0.999)
    }
}
