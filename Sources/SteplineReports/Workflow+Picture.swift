public import SteplineWorkflow

extension Workflow {
    /// Draws the workflow in its current state, running or not.
    ///
    ///     try workflow.picture(as: .html).write(to: file, atomically: true, encoding: .utf8)
    ///
    /// Times, the timeline and the trace require ``WorkflowOptions/keptAttempts``. The same workflow in the same state
    /// yields the same text. Costs O(V + E), on the caller's thread.
    public func picture(as format: PictureFormat) -> String { format.draw(graph()) }
}
