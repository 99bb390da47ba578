public import SteplineWorkflow

extension Workflow {
    /// Draws the workflow as it stands, running or not.
    ///
    ///     try workflow.picture(as: .html).write(to: file, atomically: true, encoding: .utf8)
    ///
    /// Times, the timeline and the trace need ``WorkflowOptions/keptAttempts``; the rest is always there. The same
    /// workflow in the same state gives the same text. Costs O(V + E), and is drawn on the caller's thread.
    public func picture(as format: PictureFormat) -> String { format.draw(graph()) }
}
