public import Foundation

extension Workflow {
    /// The key of the task in a notification about a task.
    public static let taskKey = "taskKey"

    /// Posted before the workflow starts.
    public static let willStartNotification = Notification.Name("Workflow.willStartNotification")
    /// Posted before the workflow is cancelled.
    public static let willCancelNotification = Notification.Name("Workflow.willCancelNotification")
    /// Posted before the workflow is reset.
    public static let willResetNotification = Notification.Name("Workflow.willResetNotification")
    /// Posted before the workflow is retried.
    public static let willRetryNotification = Notification.Name("Workflow.willRetryNotification")
    /// Posted when every task without dependents is Finished.
    public static let didFinishNotification = Notification.Name("Workflow.didFinishNotification")
    /// Posted when a task has failed, and no attempt follows.
    public static let taskDidFailNotification = Notification.Name("Workflow.taskDidFailNotification")
    /// Posted when a task was cancelled.
    public static let taskDidCancelNotification = Notification.Name("Workflow.taskDidCancelNotification")
}

extension WorkflowTask {
    /// Posted when an attempt begins.
    public static let didStartNotification = Notification.Name("WorkflowTask.didStartNotification")
    /// Posted when the task has finished.
    public static let didFinishNotification = Notification.Name("WorkflowTask.didFinishNotification")
    /// Posted when the task has failed, and no attempt follows.
    public static let didFailNotification = Notification.Name("WorkflowTask.didFailNotification")
    /// Posted when the task was cancelled.
    public static let didCancelNotification = Notification.Name("WorkflowTask.didCancelNotification")
    /// Posted when the task was reset.
    public static let didResetNotification = Notification.Name("WorkflowTask.didResetNotification")
    /// Posted when the task was returned to its initial state by a retry.
    public static let didRetryNotification = Notification.Name("WorkflowTask.didRetryNotification")
}
