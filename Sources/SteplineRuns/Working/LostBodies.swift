/// Bodies that go on in this process though their steps are others' by now: nobody wants their ends.
struct LostBodies {
    private var steps: [WorkerDesk.Running] = []

    var count: Int { steps.count }

    mutating func add(_ lost: some Sequence<WorkerDesk.Running>) { steps += lost }

    /// Whether an old body of the task goes on.
    func contains(_ key: WorkerDesk.Key) -> Bool { steps.contains { $0.key == key } }

    /// Clears up after those that are over, of which the end of one may have been told of.
    mutating func clearUp(told key: WorkerDesk.Key? = nil) {
        steps.removeAll { step in
            guard step.key == key || !step.isBodyLeft else { return false }
            step.run.part(step.place).workflow.putBack([step.place.number])
            return true
        }
    }
}
