/// A subworkflow whose typed result is the result of one of its tasks.
///
/// Its stored value is the workflow, as for each ``SubworkflowTask``: a durable run restores the tasks inside instead
/// of that value. `WorkflowCore.value(of:)` reads the result from the inner task.
final class ResultSubworkflow<Output: Sendable>: SubworkflowTask, @unchecked Sendable {  // a constant
    let last: TaskRef<Output>

    init(_ name: String, _ subworkflow: Workflow, _ last: TaskRef<Output>, _ options: TaskOptions) {
        self.last = last
        super.init(name: name, subworkflow: subworkflow, options: options)
    }
}

extension Workflow {
    /// Adds a task that runs another workflow; its result is that of a task inside.
    ///
    ///     let photos = Workflow("photos")
    ///     let cover = try photos.add("cover") { try drawCover() }
    ///     let picture = try album.addSubworkflow(photos, returning: cover)
    ///     try album.add("print", after: picture) { picture in try send(picture) }
    ///
    /// The task has the name of the inner workflow. It finishes when all tasks inside have finished.
    ///
    /// - Parameters:
    ///   - subworkflow: The inner workflow, which must not belong to another task.
    ///   - last: The task inside whose result this task has.
    ///   - prerequisites: The prerequisites of the task.
    ///   - options: The options of the task.
    /// - Returns: A reference to the task, a ``SubworkflowTask``.
    /// - Throws: A ``WorkflowError``: `.foreignPrerequisite` if `last` isn't in `subworkflow`, or the errors of `add`.
    @discardableResult
    public func addSubworkflow<Output: Sendable, each P: TypedPrerequisite>(
        _ subworkflow: Workflow, returning last: TaskRef<Output>, after prerequisites: repeat each P,
        options: TaskOptions = .init()
    ) throws -> TaskRef<Output> {
        let name = subworkflow.name
        guard last.core === subworkflow.core else {
            throw WorkflowError(.foreignPrerequisite, name, "the task of its result is not in it")
        }
        return try add(
            ResultSubworkflow(name, subworkflow, last, options), after: repeat each prerequisites)
    }
}
