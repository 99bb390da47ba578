/// The interface of a workflow to its tasks and to code that is inlined into user modules.
@usableFromInline
class WorkflowHome: @unchecked Sendable {  // has nothing of its own
    init() {}

    /// Runs a task's body on this thread, if it still has to run.
    func begin(_ external: ExternalTask) {}

    /// Records that an attempt's object was freed, which was the only way to end the attempt by name.
    func attemptIsGone(_ number: Int32, _ attempt: UInt32) {}
}
