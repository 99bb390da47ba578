/// The body of a task that has no object of its own.
///
/// It names its prerequisites by number, so that nothing in it keeps the workflow alive.
class TaskBody: @unchecked Sendable {  // immutable; subclasses too
    /// Whether it is run by ``runAsync(in:)``, in a Swift task.
    var isAsync: Bool { false }

    /// The type of its result.
    var resultType: any Sendable.Type { Void.self }

    /// Runs the body on this thread and returns its result.
    func run(in core: WorkflowCore) throws -> any Sendable { () }

    /// Runs the body and returns its result.
    func runAsync(in core: WorkflowCore) async throws -> any Sendable { () }
}
