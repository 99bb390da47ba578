import SteplineSupport

extension Workflow {
    /// Adds a task that runs when all it guards have ended, however they did, if one of them has begun.
    ///
    ///     try workflow.addCleanup("remove temporary files", after: [unpack, convert]) { try remove(folder) }
    ///
    /// Without tasks named it guards all that are in the workflow now. It ends Cancelled if it isn't needed; only
    /// its own `cancel()` cancels it, or the workflow's if told to. If it fails, the workflow has failed.
    @discardableResult
    public func addCleanup(
        _ name: String, after tasks: [WorkflowTask] = [], options: TaskOptions = .init(),
        body: @escaping @Sendable () async throws -> Void
    ) throws -> TaskRef<Void> {
        let guarded: [Int32]
        if tasks.isEmpty {
            guarded = core.look { machine in
                machine.known.filter { !machine.tasks[$0].traits.contains(.cleanup) }
            }
        } else {
            guarded = try Set(
                tasks.map { task in
                    guard let place = task.place(in: core) else {
                        throw WorkflowError(.foreignPrerequisite, name, "\(task.name) is not in \(self.name)")
                    }
                    return place
                }
            ).sorted()
        }
        let number = try guarded.withUnsafeBufferPointer {
            try insert(name, TaskWork(Void.self, async: body), options, prerequisites: $0, isCleanup: true)
        }
        return TaskRef(home, number)
    }
}
