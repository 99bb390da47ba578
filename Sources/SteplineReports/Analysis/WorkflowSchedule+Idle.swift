import SteplineWorkflow

extension WorkflowSchedule {
    /// How long nothing on the critical path was at work, as it waited for a thread, a limit or a pool; in nanoseconds.
    ///
    /// Nil if that isn't known, as not all attempts were kept. A wait between two attempts is the task's own.
    func idleTime(in graph: WorkflowGraph) -> Int64? {
        var idle: Int64 = 0
        var ended: Int64 = 0
        for place in path {
            let task = graph.tasks[place]
            guard let span = spans[place], let first = task.attempts.first, let last = task.attempts.last,
                first.number == 1
            else { return nil }
            // The span counts from the begin of the whole.
            let zero = last.endTime.minus(span.end)
            idle = idle.plus(max(0, first.beginTime.minus(zero).minus(ended)))
            ended = span.end
        }
        return idle
    }
}
