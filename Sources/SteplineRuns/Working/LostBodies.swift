/// Bodies that still run in this process although their steps belong to other workers; their ends are dropped.
struct LostBodies {
    private var steps: [WorkerSession.Running] = []

    var count: Int { steps.count }

    mutating func add(_ lost: some Sequence<WorkerSession.Running>) { steps += lost }

    /// Returns whether an old body of the task still runs.
    func contains(_ key: WorkerSession.Key) -> Bool { steps.contains { $0.key == key } }

    /// Removes bodies that are over and resets their tasks.
    ///
    /// - Parameter key: A task whose end was reported; its body counts as over.
    mutating func clearUp(notified key: WorkerSession.Key? = nil) {
        steps.removeAll { step in
            guard step.key == key || !step.isBodyLeft else { return false }
            step.run.part(step.place).workflow.putBack([step.place.number])
            return true
        }
    }
}
