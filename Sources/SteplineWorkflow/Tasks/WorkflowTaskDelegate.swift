/// The observer of a task; every method has an empty default.
///
/// The calls come on the thread of the event, or on the workflow's `callbackQueue`.
public protocol WorkflowTaskDelegate: AnyObject, Sendable {
    /// Called when the task has its result.
    func task(_ task: WorkflowTask, didFinishWith result: (any Sendable)?)
    /// Called when the task has failed, and no attempt follows.
    func task(_ task: WorkflowTask, didFailWith error: (any Error)?)
    /// Called when the task was cancelled.
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
