public import SteplineWorkflow

extension RunReport {
    /// When the tasks began and ended, by what was measured; nil if the workflow kept no attempts.
    ///
    /// Made anew by each call, in O(V + E): keep it to ask for many tasks.
    public var schedule: WorkflowSchedule? { graph.map { WorkflowSchedule($0, $0.measuredSpans) } }

    /// The chain of tasks that ended last, in the order in which they ran: each waited until the last for the one before.
    ///
    /// It determined the length of the run, together with what its tasks waited for beside each other, such as limits and
    /// pools (``AttemptRecord/waits``). Empty unless ``WorkflowOptions/keptAttempts`` is set.
    public var criticalPath: [TaskName] { schedule?.criticalPath ?? [] }

    /// How much later a task could have ended without making the run longer; zero on the critical path.
    ///
    /// By measured bodies and waits. Nil for a task that hasn't ended, or if the workflow kept no attempts.
    public func slack(of task: TaskID) -> Duration? { schedule?.slack(of: task) }

    /// How much later a task could have ended without making the run longer; zero on the critical path.
    public func slack(of task: WorkflowTask) -> Duration? { schedule?.slack(of: task) }
}
