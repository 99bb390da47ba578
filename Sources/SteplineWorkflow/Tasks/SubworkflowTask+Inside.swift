import SteplineSupport

extension SubworkflowTask {
    /// The state of the inner workflow, as far as it decides this task's end.
    enum Inside {
        case finished
        /// The workflow failed, with the earliest failure; of equal dates, that of the first task.
        case failed(TaskFailure)
        case cancelled
        /// The workflow can be started or is running.
        case open
    }
}

extension CancellationReason {
    static let inside = CancellationReason(.part, "a task inside was cancelled")
}
