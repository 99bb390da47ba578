import SteplineSupport

extension Workflow {
    /// Adds a cleanup, which runs after all guarded tasks have ended in any way, if one of them has begun.
    ///
    ///     try workflow.addCleanup("remove temporary files", after: [unpack, convert]) { try remove(folder) }
    ///
    /// A cleanup begins when the guarded bodies are over, or were given up after their grace. A cleanup that isn't
    /// needed ends Cancelled. Only its own `cancel()` cancels it, the workflow's if that includes cleanups, or a store
    /// that can't keep a durable run. A failed cleanup fails the workflow.
    ///
    /// A retry, reset or rerun that puts a guarded task back resets the cleanup too. The body of a running cleanup is
    /// then stopped, and its outcome is ignored. The next body of the guarded task waits for that body, at most for its
    /// grace, and the cleanup runs again afterwards.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - tasks: The guarded tasks: `workflow.allTasks` for all that the workflow has now. Tasks that are added later
    ///     aren't guarded, so add the cleanup last.
    ///   - options: The options of the cleanup.
    ///   - body: The closure.
    /// - Returns: A reference to the cleanup.
    /// - Throws: A ``WorkflowError`` if no task is given, if a task isn't in this workflow, or if an option is invalid;
    ///   the workflow is then unchanged.
    @discardableResult
    public func addCleanup(
        _ name: String, after tasks: [WorkflowTask], options: TaskOptions = .init(),
        body: @escaping @Sendable () async throws -> Void
    ) throws -> TaskRef<Void> {
        // A cleanup that guards nothing would never run.
        guard !tasks.isEmpty else {
            throw WorkflowError(
                .noPrerequisite, name, "guards no task; name its tasks, such as `after: workflow.allTasks`")
        }
        let guarded = try Set(
            tasks.map { task in
                // A guarded task of another workflow could never start this cleanup.
                guard let place = task.place(in: core) else {
                    throw WorkflowError(.foreignPrerequisite, name, "\(task.name) is not in \(self.name)")
                }
                return place
            }
        ).sorted()
        let number = try guarded.withUnsafeBufferPointer {
            try insert(name, TaskWork(Void.self, async: body), options, prerequisites: $0, isCleanup: true)
        }
        return TaskRef(home, number)
    }
}
