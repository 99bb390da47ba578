/// The observer of a workflow; every method has an empty default.
///
/// The calls come on the thread of the event, or on the workflow's `callbackQueue`.
public protocol WorkflowDelegate: AnyObject, Sendable {
    /// Called when every task without dependents is Finished.
    func workflowDidFinish(_ workflow: Workflow)
    /// Called when a task has failed, and no attempt follows.
    func workflow(_ workflow: Workflow, task: WorkflowTask, didFailWith error: (any Error)?)
    /// Called when a task was cancelled.
    func workflow(_ workflow: Workflow, taskDidCancel task: WorkflowTask)
}

extension WorkflowDelegate {
    /// Does nothing.
    public func workflowDidFinish(_ workflow: Workflow) {}
    /// Does nothing.
    public func workflow(_ workflow: Workflow, task: WorkflowTask, didFailWith error: (any Error)?) {}
    /// Does nothing.
    public func workflow(_ workflow: Workflow, taskDidCancel task: WorkflowTask) {}
}
