import SteplineRunsTesting
import SteplineSupport
import SteplineWorkflow

/// Tasks that share a pool, and tasks with priorities.
extension RandomGraph {
    /// Adds tasks that take one or more places of a pool.
    mutating func addPool(_ spot: Spot) throws {
        let capacity = 1 + random.below(3)
        let pool = ConcurrencyPool(spot.name, capacity: capacity)
        let tasks = try (0..<5).map { place in
            try workflow.add(
                "\(spot.name) \(place)", afterAll: spot.before,
                options: TaskOptions(pools: [pool: 1 + random.below(capacity)])
            ) { inputs in
                await Task.yield()
                return inputs.count + place
            }
        }
        made.append(try workflow.add(spot.name, afterAll: tasks) { $0.reduce(0, +) })
    }

    /// Adds a subworkflow whose tasks become ready together, have all priorities, and run one at a time.
    mutating func addPriorities(_ spot: Spot) throws {
        let options = WorkflowOptions(maximumConcurrency: 1, grace: .zero)
        let inner = Workflow("inner\(spot.number)", options: options)
        let first = try inner.add("first") { 1 }
        for place in 0..<6 {
            let priority = Priority.allCases[random.below(Priority.allCases.count)]
            try inner.add("\(place)", after: first, options: TaskOptions(priority: priority)) { $0 + place }
        }
        let task = SubworkflowTask(name: spot.name, subworkflow: inner)
        try workflow.add(task, prerequisites: spot.before.map(\.task))
        made.append(
            try workflow.add("\(spot.name) after", following: [TaskRef<Workflow>(task)]) { spot.number })
    }

    /// Adds tasks without results: a join, a block task and a group.
    mutating func addOrderOnly(_ spot: Spot) throws {
        let join = try workflow.addJoin("\(spot.name) join", of: spot.before)
        let block = BlockTask(name: "\(spot.name) block") { $0.finish() }
        try workflow.add(block, prerequisites: [join.task])
        made.append(
            try workflow.group("group \(spot.number)").add(spot.name, after: TaskRef<Void>(block)) { _ in
                spot.number
            })
    }
}
