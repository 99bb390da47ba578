/// A workflow, as its tasks and code that is inlined into a user's know it: as nothing else of it.
@usableFromInline
class WorkflowHome: @unchecked Sendable {  // has nothing of its own
    init() {}

    /// Runs a task's body on this thread, if it is still to be run.
    func begin(_ handed: HandedTask) {}

    /// An attempt's object is gone, by which it could have been ended.
    func attemptIsGone(_ number: Int32, _ attempt: UInt32) {}
}
