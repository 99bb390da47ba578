import SteplineWorkflow

extension WorkflowSchedule {
    /// Returns how long no task on the critical path was running, because it waited for a thread, a limit or a pool.
    ///
    /// In nanoseconds; nil if not all attempts were kept. A wait between two attempts counts as the task's own time.
    func idleTime(in graph: WorkflowGraph) -> Int64? {
        var idle: Int64 = 0
        var ended: Int64 = 0
        for place in path {
            let task = graph.tasks[place]
            guard let span = spans[place], let first = task.attempts.first, let last = task.attempts.last,
                first.number == 1
            else { return nil }
            // Spans are relative to the start of the schedule, records aren't.
            let zero = last.endTime.minus(span.end)
            idle = idle.plus(max(0, first.beginTime.minus(zero).minus(ended)))
            ended = span.end
        }
        return idle
    }
}
