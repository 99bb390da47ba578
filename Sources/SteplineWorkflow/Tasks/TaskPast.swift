/// The state of a task without a workflow.
struct TaskPast {
    var state = WorkflowTask.State.ready
    var attempt: UInt32 = 0
    var value: (any Sendable)?
    var finishDate: Double = 0
    var isFulfilled = false
    var fulfilment: (any Sendable)?
}
