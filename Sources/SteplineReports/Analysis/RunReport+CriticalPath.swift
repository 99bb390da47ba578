public import SteplineWorkflow

extension RunReport {
    /// The chain of tasks that determined the length of the run, in order: each delayed the next one.
    ///
    /// Limits and pools may have contributed to the length (``AttemptRecord/waits``). Empty unless
    /// ``WorkflowOptions/keptAttempts`` is set.
    public var criticalPath: [TaskName] { schedule?.criticalPath ?? [] }

    /// The measured times of the tasks, computed in O(V + E); nil if the workflow kept no attempts.
    package var schedule: WorkflowSchedule? { graph?.measuredSchedule }

    /// Returns how much later a task could have ended without making the run longer; zero on the critical path.
    ///
    /// Based on measured bodies and waits, in O(V + E). Nil for a task that hasn't ended, or if the workflow kept no
    /// attempts.
    public func slack(of task: WorkflowTask) -> Duration? {
        task.taskID.flatMap { schedule?.slack(of: $0) }
    }
}
