public import SteplineWorkflow

extension RunReport {
    /// The measured times of the tasks; nil if the workflow kept no attempts.
    ///
    /// Computed at each access in O(V + E): store the schedule to query many tasks.
    public var schedule: WorkflowSchedule? { graph.map { WorkflowSchedule($0, $0.measuredSpans) } }

    /// The chain of tasks that determined the length of the run, in order: each delayed the next one.
    ///
    /// Limits and pools may have contributed to the length (``AttemptRecord/waits``). Empty unless
    /// ``WorkflowOptions/keptAttempts`` is set.
    public var criticalPath: [TaskName] { schedule?.criticalPath ?? [] }

    /// Returns how much later a task could have ended without making the run longer; zero on the critical path.
    ///
    /// Based on measured bodies and waits. Nil for a task that hasn't ended, or if the workflow kept no attempts.
    public func slack(of task: TaskID) -> Duration? { schedule?.slack(of: task) }

    /// Returns how much later a task could have ended without making the run longer; zero on the critical path.
    public func slack(of task: WorkflowTask) -> Duration? { schedule?.slack(of: task) }
}
