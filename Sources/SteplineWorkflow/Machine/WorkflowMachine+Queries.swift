import SteplineEngine
import SteplineSupport

import struct Foundation.Date

/// Reads a workflow as of one instant: names, snapshots, reports and progress; and what outlives a task or the
/// workflow.
///
/// Called under the lock. Reports and progress cost O(V).
extension WorkflowMachine {
    /// The name given to a task, or its class and position.
    func name(_ number: Int32) -> String {
        let given = names[number]
        guard given.isEmpty else { return given }
        if case .async(let body) = tasks.work(number), let name = body.name(of: number) { return name }
        return "\(typeName(number)) \(number + 1)"
    }

    private func typeName(_ number: Int32) -> String {
        if case .object(let task) = tasks.work(number) { "\(type(of: task))" } else { "Task" }
    }

    func taskName(_ number: Int32) -> RunReport.TaskName {
        RunReport.TaskName(id: taskID(number), name: name(number))
    }

    func taskID(_ number: Int32) -> TaskID { TaskID(around: eventLog.path, position: Int(number) + 1) }

    /// The object of a task, if it has one.
    func object(_ number: Int32) -> WorkflowTask? {
        if case .object(let task) = tasks.work(number) { return task }
        return rare.objects[number]
    }

    func snapshot(_ number: Int32) -> WorkflowTask.Snapshot {
        WorkflowTask.Snapshot(
            tasks[number].state, attempt: tasks[number].attempt.number, end: tasks.value(number),
            date: eventLog.date(tasks.endedAt(number)))
    }

    /// The state that a task object keeps when it leaves the workflow.
    func past(_ number: Int32) -> TaskPast {
        let node = tasks[number]
        // Without a workflow there is nothing to wait for, and no body counts.
        let isOpen = node.state == .pending || node.state == .executing
        return TaskPast(
            state: isOpen ? .ready : node.state, attempt: node.attempt.number,
            // In other states the value is the `ResultType`.
            value: [.finished, .failed, .cancelled].contains(node.state) ? tasks.value(number) : nil,
            finishDate: eventLog.date(tasks.endedAt(number)).timeIntervalSinceReferenceDate,
            isFulfilled: rare.fulfilments[number] != nil, fulfilment: rare.fulfilments[number] ?? nil)
    }

    // MARK: Relations

    func prerequisites(_ number: Int32) -> [Int32] { graph.prerequisites(of: number) }

    func unkeyedPrerequisites(_ number: Int32) -> [Int32] {
        rare.unkeyed[number] ?? graph.prerequisites(of: number)
    }

    func roots() -> [Int32] { known.filter { graph.isRoot($0) } }

    func leaves() -> [Int32] { known.filter { tasks[$0].isLeaf } }

    /// Whether a task runs a workflow.
    var hasSubworkflows: Bool { tasks.all.contains { tasks[$0].traits.contains(.subworkflow) } }

    /// Whether a reset would change anything: a task is busy or has ended, or a condition is fulfilled.
    var isChangedByReset: Bool {
        let ends: [WorkflowTask.State] = [.finished, .failed, .cancelled]
        return tasks.busy > 0 || ends.contains { tasks.counts[$0] > 0 } || !rare.fulfilments.isEmpty
    }

    /// Whether tasks have begun by themselves in this process, or have results or errors, restored ones included.
    ///
    /// Conditions don't count.
    var hasBodiesOrEnds: Bool {
        tasks.all.contains {
            let node = tasks[$0]
            guard !node.traits.contains(.condition) else { return false }
            return node.state == .finished || node.state == .failed
                || tasks.begun > 0 && node.facts.contains(.began)
        }
    }

    /// The tasks that run workflows.
    var subworkflowTasks: [SubworkflowTask] {
        tasks.all.compactMap { number in
            guard tasks[number].traits.contains(.subworkflow), case .object(let task) = tasks.work(number)
            else {
                return nil
            }
            return task as? SubworkflowTask
        }
    }

    /// All tasks that aren't forgotten.
    var known: [Int32] { tasks.all.filter { !tasks[$0].facts.contains(.forgotten) } }

    // MARK: The workflow

    /// Whether every leaf is Finished: every task that only cleanups depend on.
    var isComplete: Bool { tasks.openLeaves == 0 }

    /// How the run has ended, or would if it ended now.
    var ending: RunReport.Ending {
        if hasFailure { return .failed }
        if hasCancelled {
            return run.isOverdue ? .deadlineExceeded : .cancelled(run.cancellation)
        }
        return isComplete ? .finished : .incomplete
    }

    /// Whether a task was cancelled, cleanups that weren't needed left out.
    var hasCancelled: Bool { tasks.counts[.cancelled] > tasks.unneeded }

    /// Whether a fatal failure has happened.
    private var hasFailure: Bool {
        guard tasks.counts[.failed] > 0 else { return false }
        var visited: Set<Int32> = []
        // The walks share a set: a task that one walk has left behind leads to no fatal end.
        return tasks.all.contains { isFailed($0) && isFatal($0, &visited) }
    }

    /// The tasks with fatal failures.
    var fatalFailures: [Int32] {
        guard tasks.counts[.failed] > 0 else { return [] }
        // Each with a walk of its own, as one of them may be downstream of another.
        return tasks.all.filter { isFailed($0) && isFatal($0) }
    }

    private func isFailed(_ number: Int32) -> Bool {
        tasks[number].state == .failed && !tasks[number].facts.contains(.forgotten)
    }

    /// Whether a failure of this task is fatal: the whole workflow has failed by it.
    ///
    /// It isn't if every way downstream leads to a task that allows the failure of its prerequisite. Costs O(V + E) of
    /// what is downstream.
    func isFatal(_ number: Int32) -> Bool {
        var visited: Set<Int32> = []
        return isFatal(number, &visited)
    }

    private func isFatal(_ number: Int32, _ visited: inout Set<Int32>) -> Bool {
        var toVisit = [number]
        while let task = toVisit.popLast() {
            guard visited.insert(task).inserted else { continue }
            var isFollowed = false
            for edge in graph.edges(from: task) where edge.kind != .guards {
                if edge.kind == .needs { toVisit.append(edge.dependent) }
                isFollowed = true
            }
            if !isFollowed { return true }
        }
        return false
    }

    var status: Workflow.Status {
        if run.isRunning || !run.isSettled { return .running }
        // A workflow whose tasks were cancelled before any of them began has settled, too.
        let isTouched = tasks.begun > 0 || tasks.counts[.cancelled] > 0
        return isTouched ? .settled(ending) : .idle
    }

    /// Returns the report of the tasks without the elements of maps over results, which have locks of their own.
    ///
    /// - Parameter now: The end of a run that goes on.
    func report(at now: Instant) -> RunReport {
        var failures: [RunReport.Failure] = []
        var blocked: [RunReport.TaskName] = []
        var notStarted: [RunReport.TaskName] = []
        if ending != .finished || tasks.counts[.failed] > 0 {
            for number in known {
                switch tasks[number].state {
                case .failed:
                    failures.append(failure(number))
                case .pending where tasks[number].blockage != .none: blocked.append(taskName(number))
                case .ready where !tasks[number].attempt.isBusy: notStarted.append(taskName(number))
                default: break
                }
            }
            failures.sort { $0.date < $1.date }
        }
        let graph = options.keptAttempts > 0 ? picture(eventLog.path) : nil
        return RunReport(
            ending: ending, duration: run.duration(at: now), failures: failures, blocked: blocked,
            notStarted: notStarted, graph: graph)
    }

    private func failure(_ number: Int32) -> RunReport.Failure {
        let failure = tasks.failure(number)
        // The failed elements are in the report themselves.
        let short = (failure?.error as? WorkflowError)?.summary
        return RunReport.Failure(
            task: taskName(number), attempt: Int(tasks[number].attempt.number), error: failure?.error,
            text: short ?? failure?.text ?? "", date: eventLog.date(tasks.endedAt(number)))
    }

    /// The failures and the attempts of a map's elements.
    func elements() -> (failures: [RunReport.Failure], graph: WorkflowGraph?) {
        let failed = tasks.counts[.failed] > 0 ? known.filter { tasks[$0].state == .failed } : []
        return (failed.map(failure), options.keptAttempts > 0 ? picture(eventLog.path) : nil)
    }

    /// The progress of some or all tasks, without maps over results whose elements are counted elsewhere.
    func progress(of numbers: [Int32]?, without maps: [Int32] = []) -> WorkflowProgress {
        var counts = tasks.counts
        var total = Int(tasks.count) - tasks.forgotten
        if let numbers {
            counts = StateCounts()
            total = numbers.count
            for number in numbers { counts[tasks[number].state] += 1 }
        }
        // A map counts its elements, and not the task that joins them.
        let joins = rare.joins.isEmpty ? [] : (numbers ?? Array(rare.joins.keys)).filter(joinsElements)
        for number in joins + maps { counts[tasks[number].state] -= 1 }
        total -= joins.count + maps.count
        let reported = rare.progress.isEmpty ? nil : numbers.map(Set.init) ?? nil
        let done = rare.progress.keys.reduce(Double(counts[.finished])) { sum, number in
            reported?.contains(number) == false ? sum : sum + self.reported(number)
        }
        let fraction = total == 0 ? 1 : done / Double(total)
        // All elements have finished before the task that joins them.
        let areJoined = joins.allSatisfy { tasks[$0].state == .finished }
        return WorkflowProgress(
            total: total, finished: counts[.finished], executing: counts[.executing],
            failed: counts[.failed], cancelled: counts[.cancelled],
            fraction: areJoined ? fraction : min(fraction, Self.mostUnfinished))
    }

    private func joinsElements(_ number: Int32) -> Bool {
        rare.joins[number] != nil && !graph.places(of: number).isEmpty
            && !tasks[number].facts.contains(.forgotten)
    }

    /// The largest fraction of work that hasn't ended: a fraction of 1 means that all tasks are Finished.
    static let mostUnfinished = 0.999

    /// The progress that the body of an Executing task has reported, always below 1.
    private func reported(_ number: Int32) -> Double {
        guard let progress = rare.progress[number], tasks[number].attempt.isRunning(progress.attempt) else {
            return 0
        }
        return min(progress.fraction, Self.mostUnfinished)
    }

    // MARK: Awaiting

    /// Adds a waiter for the end of a task, or for its blockage; returns a snapshot instead if the task has ended or is
    /// blocked.
    mutating func await(_ number: Int32, _ waiter: EndWaiter) -> WorkflowTask.Snapshot? {
        let isBlocked = tasks[number].state == .pending && tasks[number].blockage != .none
        // In a disbanded workflow no event would wake the waiter.
        guard isOpen(number), !isBlocked, !isDisbanded else { return snapshot(number) }
        rare.waiters[number, default: Waiters()].add(waiter)
        tasks.insert(.awaited, number)
        return nil
    }

    /// Removes a waiter whose wait was cancelled.
    mutating func stopAwaiting(_ number: Int32, _ waiter: EndWaiter) {
        rare.waiters[number]?.remove(waiter)
        if rare.waiters[number]?.isEmpty == true {
            rare.waiters[number] = nil
            tasks.remove(.awaited, number)
        }
    }

    // MARK: Forgetting

    /// Frees what tasks hold that are over and whose dependents are over.
    ///
    /// - Returns: The tasks that can't be forgotten, and the objects of the others.
    mutating func forget(
        _ numbers: [Int32], _ turn: inout WorkflowTurn
    ) -> (kept: [Int32], left: [(WorkflowTask, TaskPast)]) {
        var kept: [Int32] = []
        var left: [(WorkflowTask, TaskPast)] = []
        for number in numbers where !tasks[number].facts.contains(.forgotten) {
            guard isOver(number), graph.dependents(of: number).allSatisfy(isOver) else {
                kept.append(number)
                continue
            }
            // The default name comes from the class of the object, which is released here.
            if names[number].isEmpty { names.rename(number, name(number)) }
            if let object = object(number) {
                var past = past(number)
                // The result or error is freed; the reason of a cancellation belongs to the outcome.
                if past.state != .cancelled { past.value = nil }
                left.append((object, past))
            }
            groups.remove(number)
            tasks.hide(number)
            free(number, &turn)
        }
        return (kept, left)
    }

    /// Frees what a forgotten task holds.
    mutating func free(_ number: Int32, _ turn: inout WorkflowTurn) {
        rare.forget(number, &turn)
        let part = tasks.empty(number)
        turn.releaseAfterUnlock(part.value)
        turn.releaseAfterUnlock(part.work)
    }

    private func isOver(_ number: Int32) -> Bool { !tasks[number].isBusy && !isOpen(number) }

    /// Releases everything but the state of the tasks: the workflow was freed.
    mutating func disband(_ turn: inout WorkflowTurn) -> [(WorkflowTask, TaskPast)] {
        isDisbanded = true
        var left: [(WorkflowTask, TaskPast)] = []
        // No event will end these tasks any more, so the waiters resume with the present state.
        for number in rare.waiters.keys.sorted() { wakeWaiters(number, &turn) }
        for number in tasks.all {
            if let object = object(number) { left.append((object, past(number))) }
            let work = tasks.work(number)
            if case .nothing = work { continue }
            turn.releaseAfterUnlock(tasks.empty(number, keepingValue: true).work)
        }
        eventLog.finish(&turn)
        // A timer retains the core.
        turn.withdrawAllTimers()
        turn.releaseAfterUnlock(rare)
        rare = RareTaskState()
        ready = ReadyQueue()
        return left
    }
}
