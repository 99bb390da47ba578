/// Who wants to hear how a workflow goes; every method has an empty default.
///
/// Called on the thread of the event, or on the workflow's `callbackQueue`.
public protocol WorkflowDelegate: AnyObject, Sendable {
    /// Every task without dependents is Finished.
    func workflowDidFinish(_ workflow: Workflow)
    /// A task has failed for good.
    func workflow(_ workflow: Workflow, task: WorkflowTask, didFailWith error: (any Error)?)
    /// A task was cancelled.
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
