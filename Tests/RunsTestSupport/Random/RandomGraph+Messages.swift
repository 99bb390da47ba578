import SteplineSupport
import SteplineWorkflow

/// Tasks that receive messages, each at a point that the graph alone determines, and conditions.
///
/// Other tasks can't depend on the successors of a cancelled task: whether they ran by then may depend on timing.
extension RandomGraph {
    /// Adds a task that is cancelled with its dependents when its prerequisite finishes.
    mutating func addCancelledWhilePending(_ spot: Spot) throws {
        guard level == 0 else { return try addPlain(spot) }
        let name = spot.name
        let first = try workflow.add("\(name) first", afterAll: spot.before) { $0.count }
        let cancelled = try workflow.add(name, after: first) { [began] count in
            began(name)
            return count
        }
        try addFollowers(ofCancelled: cancelled, name)
        try workflow.addCleanup("\(name) cleanup of all", after: [first.task, cancelled.task]) { [began] in
            began("\(name) cleanup of all")
        }
        let task = cancelled.task
        _ = first.task.onSuccess { _ in task.cancel() }
    }

    /// Adds a task that is cancelled after it has started.
    mutating func addCancelledWhileExecuting(_ spot: Spot) throws {
        guard level == 0 else { return try addPlain(spot) }
        let cancelled = try workflow.add(
            spot.name, afterAll: spot.before, options: TaskOptions(grace: .seconds(3600))
        ) { _ in
            try await waitToBeStopped()
        }
        try addFollowers(ofCancelled: cancelled, spot.name)
        cancelOnceExecuting(cancelled.task)
    }

    /// Adds a task that fails, and is retried by a listener.
    mutating func addRetriedByHand(_ spot: Spot) throws {
        guard level == 0 else { return try addPlain(spot) }
        let task = AttemptTask(spot.name, value: spot.number, failures: 1, began)
        try workflow.add(task, prerequisites: spot.before.map(\.task))
        try workflow.add("\(spot.name) after", after: TaskRef<Int>(task)) { $0 }
        _ = task.onFailure { [weak task] _ in task?.retry() }
    }

    /// Adds a task that is reset and runs again after it has finished for the first time.
    mutating func addRerun(_ spot: Spot) throws {
        let isFirst = Locked(true)
        let task = try workflow.add(spot.name) { [began] in
            began(spot.name)
            return spot.number
        }.task
        _ = task.onSuccess { [weak workflow, weak task] _ in
            let isFirst = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if isFirst, let task { try? workflow?.rerun(from: task) }
        }
    }

    // MARK: Conditions

    /// Adds a condition that fails because it is unfulfilled when it runs.
    mutating func addUnfulfilledCondition(_ spot: Spot) throws {
        let first = try workflow.add("\(spot.name) first", afterAll: spot.before) { $0.count }
        let condition = try workflow.addCondition(
            spot.name, of: Int.self, after: first, whenUnfulfilled: .fail)
        made.append(
            try workflow.add("\(spot.name) after", after: condition.allowingFailure) { result in
                (try? result.get()) ?? -spot.number
            })
    }

    /// Adds a condition that is cancelled while it waits.
    mutating func addCancelledCondition(_ spot: Spot) throws {
        guard level == 0 else { return try addPlain(spot) }
        let first = try workflow.add("\(spot.name) first", afterAll: spot.before) { $0.count }
        let condition = try workflow.addCondition(spot.name, of: Int.self, after: first)
        try workflow.add("\(spot.name) after", after: condition) { $0 }
        cancelOnceExecuting(condition.task)
    }

    /// Adds a condition that a listener of another task fulfils, before or after the condition's prerequisite ends.
    mutating func addConditionFulfilledFromOutside(_ spot: Spot) throws {
        let first = try workflow.add("\(spot.name) by") { spot.number }
        let condition =
            if let before = spot.before.first {
                try workflow.addCondition(spot.name, of: Int.self, after: before)
            } else {
                try workflow.addCondition(spot.name, of: Int.self)
            }
        _ = first.task.onSuccess { _ in condition.fulfill(with: spot.number) }
        made.append(condition)
    }

    private func cancelOnceExecuting(_ task: WorkflowTask) {
        _ = task.observe { [weak task] change in
            if change.newState == .executing { task?.cancel() }
        }
    }

    private func addFollowers(ofCancelled task: TaskRef<Int>, _ name: String) throws {
        try workflow.add("\(name) after", after: task) { $0 }
        try workflow.addCleanup("\(name) cleanup", after: [task.task]) { [began] in began("\(name) cleanup") }
    }
}
