import SteplineRunsTesting
import SteplineSupport
import SteplineWorkflow

/// Tasks that fail, and tasks that tolerate failures.
extension RandomGraph {
    /// Adds a task that fails once or twice and is retried.
    mutating func addRetried(_ spot: Spot) throws {
        let task = AttemptTask(
            spot.name, value: spot.number, failures: 1 + random.below(2),
            options: TaskOptions(retry: .quick(3)), began)
        try workflow.add(task, prerequisites: spot.before.map(\.task))
        made.append(try TaskRef(task))
    }

    /// Adds a task that fails in every attempt.
    mutating func addFailing(_ spot: Spot) throws {
        let task = AttemptTask(
            spot.name, value: 0, failures: .max, options: TaskOptions(retry: .quick(1 + random.below(3))),
            began)
        try workflow.add(task, prerequisites: spot.before.map(\.task))
        try addFollowers(of: TaskRef(task), spot)
    }

    /// Adds a task that runs until it times out, by the limit for an attempt or by its deadline.
    mutating func addTimedOut(_ spot: Spot) throws {
        var options = TaskOptions(retry: .quick(1 + random.below(2)), grace: .seconds(3600))
        if random.below(3) == 0 {
            options.deadline = .milliseconds(4)
        } else {
            options.timeout = .milliseconds(2)
        }
        let task = try workflow.add(spot.name, afterAll: spot.before, options: options) { _ in
            try await waitToBeStopped()
        }
        try addFollowers(of: task, spot)
    }

    /// Adds a task that fails, a dependent that is blocked, and a third task that allows for the failure.
    mutating func addBlocked(_ spot: Spot) throws {
        let task = AttemptTask("\(spot.name) first", value: 0, failures: .max, began)
        try workflow.add(task, prerequisites: spot.before.map(\.task))
        let after = try workflow.add("\(spot.name) behind", after: TaskRef<Int>(task)) { $0 }
        made.append(
            try workflow.add(spot.name, after: after.allowingFailure) { result in
                (try? result.get()) ?? -spot.number
            })
    }

    /// Adds a task that follows several tasks, allows for their failures, and counts the successes.
    mutating func addAllowingMany(_ spot: Spot) throws {
        guard spot.before.count == 2, spot.before[0].task !== spot.before[1].task else {
            return try addPlain(spot)
        }
        made.append(
            try workflow.add(
                spot.name, after: spot.before[0].allowingFailure, spot.before[1].allowingFailure
            ) { [began] first, second in
                began(spot.name)
                return [first, second].count { (try? $0.get()) != nil } + spot.number
            })
    }

    /// Adds a task that allows for the failure, a cleanup after it, and sometimes a task that is blocked.
    private mutating func addFollowers(of task: TaskRef<Int>, _ spot: Spot) throws {
        made.append(
            try workflow.add("\(spot.name) after", after: task.allowingFailure) { result in
                (try? result.get()) ?? -spot.number
            })
        try workflow.addCleanup("\(spot.name) cleanup", after: [task.task]) { [began] in
            began("\(spot.name) cleanup")
        }
        if level == 0, random.below(3) == 0 { try workflow.add("\(spot.name) behind", after: task) { $0 } }
    }
}
