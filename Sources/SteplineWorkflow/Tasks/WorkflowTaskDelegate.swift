/// Who wants to hear how a task goes; every method has an empty default.
///
/// Called on the thread of the event, or on the workflow's `callbackQueue`.
public protocol WorkflowTaskDelegate: AnyObject, Sendable {
    /// The task has its result.
    func task(_ task: WorkflowTask, didFinishWith result: (any Sendable)?)
    /// The task has failed for good.
    func task(_ task: WorkflowTask, didFailWith error: (any Error)?)
    /// The task was cancelled.
    func taskDidCancel(_ task: WorkflowTask)
}

extension WorkflowTaskDelegate {
    /// Does nothing.
    public func task(_ task: WorkflowTask, didFinishWith result: (any Sendable)?) {}
    /// Does nothing.
    public func task(_ task: WorkflowTask, didFailWith error: (any Error)?) {}
    /// Does nothing.
    public func taskDidCancel(_ task: WorkflowTask) {}
}
