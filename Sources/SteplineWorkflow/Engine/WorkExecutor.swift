import SteplineSupport

/// Where a workflow runs the synchronous bodies of tasks that have no operation queue.
///
/// A workflow without one uses threads of its own, and that is the fastest there is; an executor is for those who
/// must decide themselves where work runs: on one thread, at another pace, in an order of their own.
///
///     struct OnMain: WorkExecutor {
///         func run(_ batch: [ReadyWork]) { DispatchQueue.main.async { for work in batch { work() } } }
///     }
public protocol WorkExecutor: Sendable {
    /// Takes work that is ready, to be called soon, each piece on any thread.
    ///
    /// All that became ready at once comes as one batch, the most urgent first. Called on the thread where
    /// something has ended or was sent, which it must not block; no lock is held. Pieces may be called at the same
    /// time. A piece that is never called leaves its task Ready, and the workflow running.
    func run(_ batch: [ReadyWork])
}

/// A task that may begin.
public struct ReadyWork: Sendable {
    /// Which task.
    public let task: RunReport.TaskName
    /// How urgent it is.
    public let priority: TaskOptions.Priority
    let core: WorkflowCore
    let number: Int32
    let ticket: UInt32

    /// Runs the body on this thread.
    ///
    /// Does nothing if the task was cancelled or reset meanwhile, or if it was called before.
    public func callAsFunction() {
        core.runHanded(core.machine.withLock { $0.takeHanded(number, ticket: ticket) })
    }
}

extension WorkflowState {
    /// Lets a task go to its operation queue or to the executor, with all others that go at the same time.
    mutating func hand(_ index: Int) {
        if tables.handed.isEmpty { due.append(.hand) }
        nodes[index].flags.insert(.handed)
        tables.handed.append((Int32(truncatingIfNeeded: index), parts[index].ticket))
    }

    /// Takes what is to be handed on: to whom it goes, and as what.
    mutating func takeHanded(_ core: WorkflowCore) -> [(object: WorkflowTask?, work: ReadyWork)] {
        let handed = tables.handed
        tables.handed = []
        return handed.map { number, ticket in
            let index = Int(number)
            let priority = TaskOptions.Priority(rawValue: nodes[index].priority) ?? .normal
            let work = ReadyWork(
                task: taskName(index), priority: priority, core: core, number: number, ticket: ticket
            )
            return (object(number), work)
        }
    }

    /// A body may not begin, as enough are live: it is handed on again when one has ended.
    mutating func putOff(_ index: Int) {
        tables.putOff.append(Int32(truncatingIfNeeded: index))
        if isHeard { recordWait(index, for: .limit) }
    }

    /// A body has ended, and one that was put off may begin.
    mutating func handOnPutOff() {
        while liveBodies < limit, !tables.putOff.isEmpty {
            let index = Int(tables.putOff.removeFirst())
            guard nodes[index].flags.contains(.queued), nodes[index].state == .ready else { continue }
            return hand(index)
        }
    }
}

extension WorkflowCore {
    /// Gives ready tasks to their operation queues, and the others to the executor as one batch.
    func handOn() {
        let workflowQueue = surroundings.withLock { $0.operationQueue }
        var batch: [ReadyWork] = []
        for (object, work) in machine.withLock({ $0.takeHanded(self) }) {
            if let queue = object?.operationQueue ?? workflowQueue {
                TaskQueue.add(to: queue) { work() }
            } else {
                batch.append(work)
            }
        }
        guard !batch.isEmpty else { return }
        guard let executor = options.executor else {
            // The queue was taken away meanwhile.
            for work in batch { work() }
            return
        }
        let isMixed = batch.contains { $0.priority != batch[0].priority }
        if isMixed {
            // Stable, as those of one priority keep their order.
            batch = TaskOptions.Priority.allCases.reversed().flatMap { priority in
                batch.filter { $0.priority == priority }
            }
        }
        executor.run(batch)
    }
}
