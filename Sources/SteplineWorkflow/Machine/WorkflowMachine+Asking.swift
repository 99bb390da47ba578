import SteplineEngine
import SteplineSupport

import struct Foundation.Date

/// What others may know of a workflow, as of one instant.
extension WorkflowMachine {
    /// The name given to a task, or its class and position.
    func name(_ number: Int32) -> String {
        let given = names[number]
        guard given.isEmpty else { return given }
        return "\(typeName(number)) \(number + 1)"
    }

    private func typeName(_ number: Int32) -> String {
        if case .object(let task) = tasks.work(number) { "\(type(of: task))" } else { "Task" }
    }

    func taskName(_ number: Int32) -> RunReport.TaskName {
        RunReport.TaskName(id: taskID(number), name: name(number))
    }

    func taskID(_ number: Int32) -> TaskID { TaskID(around: story.path, position: Int(number) + 1) }

    /// The object of a task, if it has one.
    func object(_ number: Int32) -> WorkflowTask? {
        if case .object(let task) = tasks.work(number) { return task }
        return terms.objects[number]
    }

    func snapshot(_ number: Int32) -> WorkflowTask.Snapshot {
        let state = tasks[number].state
        let hasEnded = state == .finished || state == .failed
        return WorkflowTask.Snapshot(
            state: state, attempt: Int(tasks[number].attempt.number), result: tasks.result(number),
            error: tasks.failure(number)?.error, cancellation: tasks.cancellation(number),
            finishDate: hasEnded ? story.date(tasks.endedAt(number)) : nil)
    }

    /// How a task stands, for a task object that leaves the workflow.
    func past(_ number: Int32) -> TaskPast {
        let node = tasks[number]
        let isOpen = node.state == .pending || node.state == .executing
        return TaskPast(
            state: isOpen ? .ready : node.state, attempt: node.attempt.number,
            value: [.finished, .failed, .cancelled].contains(node.state) ? tasks.value(number) : nil,
            finishDate: story.date(tasks.endedAt(number)).timeIntervalSinceReferenceDate,
            isFulfilled: terms.fulfilments[number] != nil, fulfilment: terms.fulfilments[number] ?? nil)
    }

    // MARK: Relations

    func prerequisites(_ number: Int32) -> [Int32] { graph.prerequisites(of: number) }

    func unkeyedPrerequisites(_ number: Int32) -> [Int32] {
        terms.unkeyed[number] ?? graph.prerequisites(of: number)
    }

    func roots() -> [Int32] { known.filter { graph.isRoot($0) } }

    func leaves() -> [Int32] { known.filter { tasks[$0].isLeaf } }

    /// All tasks that aren't forgotten.
    var known: [Int32] { tasks.all.filter { !tasks[$0].facts.contains(.forgotten) } }

    // MARK: The whole

    /// Whether every leaf is Finished.
    var isComplete: Bool { tasks.openLeaves == 0 }

    /// How the run has ended, or would if it ended now.
    var ending: RunReport.Ending {
        if hasFailure { return .failed }
        if hasCancelled {
            return run.isOverdue ? .deadlineExceeded : .cancelled(run.cancellation)
        }
        return isComplete ? .finished : .incomplete
    }

    /// Whether a task was cancelled that would have been needed.
    var hasCancelled: Bool { tasks.counts[.cancelled] > tasks.unneeded }

    /// Whether a task has failed that something couldn't go on without.
    private var hasFailure: Bool {
        guard tasks.counts[.failed] > 0 else { return false }
        var visited: Set<Int32> = []
        return tasks.all.contains { isFailed($0) && isFatal($0, &visited) }
    }

    /// The failures that are ones of the whole.
    var fatalFailures: [Int32] {
        guard tasks.counts[.failed] > 0 else { return [] }
        // Of these each is asked by itself, as one may be on the way of another.
        return tasks.all.filter { isFailed($0) && isFatal($0) }
    }

    private func isFailed(_ number: Int32) -> Bool {
        tasks[number].state == .failed && !tasks[number].facts.contains(.forgotten)
    }

    /// Whether a failure of this task is one of the whole.
    ///
    /// It isn't where tasks follow that go on without it, or without those that it keeps from running.
    func isFatal(_ number: Int32) -> Bool {
        var visited: Set<Int32> = []
        return isFatal(number, &visited)
    }

    private func isFatal(_ number: Int32, _ visited: inout Set<Int32>) -> Bool {
        var toVisit = [number]
        while let task = toVisit.popLast() {
            guard visited.insert(task).inserted else { continue }
            var isFollowed = false
            var place = graph.firstDependent(of: task)
            while place >= 0 {
                let edge = graph.edge(at: place)
                place = edge.next
                switch edge.kind {
                case .needs: toVisit.append(edge.dependent)
                case .allowsFailure: break
                case .guards: continue
                }
                isFollowed = true
            }
            if !isFollowed { return true }
        }
        return false
    }

    var status: Workflow.Status {
        if run.isRunning || !run.isSettled { return .running }
        let isTouched = tasks.begun > 0 || tasks.counts[.cancelled] > 0
        return isTouched ? .settled(ending) : .idle
    }

    func report() -> RunReport {
        var failures: [RunReport.Failure] = []
        var blocked: [RunReport.TaskName] = []
        var notStarted: [RunReport.TaskName] = []
        if ending != .finished || tasks.counts[.failed] > 0 {
            for number in known {
                switch tasks[number].state {
                case .failed:
                    failures.append(
                        RunReport.Failure(
                            task: taskName(number), attempt: Int(tasks[number].attempt.number),
                            error: tasks.failure(number)?.error, text: tasks.failure(number)?.text ?? "",
                            date: story.date(tasks.endedAt(number))))
                case .pending where tasks[number].hindrance != .none: blocked.append(taskName(number))
                case .ready where !tasks[number].attempt.isBusy: notStarted.append(taskName(number))
                default: break
                }
            }
            failures.sort { $0.date < $1.date }
        }
        let graph = options.keptAttempts > 0 ? picture(story.path) : nil
        return RunReport(
            ending: ending, failures: failures, blocked: blocked, notStarted: notStarted, graph: graph)
    }

    func progress(of numbers: [Int32]?) -> WorkflowProgress {
        var counts = tasks.counts
        var total = Int(tasks.count) - tasks.forgotten
        if let numbers {
            counts = StateCounts()
            total = numbers.count
            for number in numbers { counts[tasks[number].state] += 1 }
        }
        let reported = (numbers.map(Set.init) ?? nil)
        let done = terms.progress.keys.reduce(Double(counts[.finished])) { sum, number in
            reported?.contains(number) == false ? sum : sum + self.reported(number)
        }
        return WorkflowProgress(
            total: total, finished: counts[.finished], executing: counts[.executing],
            failed: counts[.failed], cancelled: counts[.cancelled],
            fraction: total == 0 ? 1 : done / Double(total))
    }

    /// What the body of a task that executes has told of its progress, short of having ended.
    private func reported(_ number: Int32) -> Double {
        guard let progress = terms.progress[number], tasks[number].attempt.isRunning(progress.attempt) else {
            return 0
        }
        return min(progress.fraction, 0.999)
    }

    // MARK: Awaiting

    /// Wakes `waiter` once the task has ended or can't run; returns how it stands if that is so already.
    mutating func await(_ number: Int32, _ waiter: TaskWaiter) -> WorkflowTask.Snapshot? {
        let isOpen =
            switch tasks[number].state {
            case .finished, .failed, .cancelled: false
            case .pending: tasks[number].hindrance == .none
            case .ready, .executing: true
            }
        guard isOpen, !isDisbanded else { return snapshot(number) }
        terms.waiters[number, default: Waiters()].add(waiter)
        tasks.insert(.awaited, number)
        return nil
    }

    /// A wait was cancelled.
    mutating func stopAwaiting(_ number: Int32, _ waiter: TaskWaiter) {
        terms.waiters[number]?.remove(waiter)
        if terms.waiters[number]?.isEmpty == true {
            terms.waiters[number] = nil
            tasks.remove(.awaited, number)
        }
    }

    // MARK: Forgetting

    /// Frees what tasks hold that are over, with all that depends on them; returns those that can't be forgotten, and
    /// the objects of the others.
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
            if names[number].isEmpty { names.rename(number, name(number)) }
            if let object = object(number) {
                var past = past(number)
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
        terms.forget(number, &turn)
        let part = tasks.empty(number)
        turn.letGo(of: part.value)
        turn.letGo(of: part.work)
    }

    private func isOver(_ number: Int32) -> Bool {
        !isOpenOrBusy(number)
    }

    private func isOpenOrBusy(_ number: Int32) -> Bool {
        tasks[number].isBusy || [.pending, .ready, .executing].contains(tasks[number].state)
    }

    /// The workflow is gone: its tasks keep their state, and nothing else is left.
    mutating func disband(_ turn: inout WorkflowTurn) -> [(WorkflowTask, TaskPast)] {
        isDisbanded = true
        var left: [(WorkflowTask, TaskPast)] = []
        for number in terms.waiters.keys.sorted() { wakeWaiters(number, &turn) }
        for number in tasks.all {
            if let object = object(number) { left.append((object, past(number))) }
            let work = tasks.work(number)
            if case .nothing = work { continue }
            turn.letGo(of: tasks.empty(number, keepingValue: true).work)
        }
        story.finish(&turn)
        turn.withdrawAllTimers()
        turn.letGo(of: terms)
        terms = TaskTerms()
        ready = ReadyQueue()
        return left
    }
}
