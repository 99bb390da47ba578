import SteplineEngine
import SteplineSupport

/// Messages: each task that is reached changes once, all at one instant, and in order of adding.
extension WorkflowMachine {
    // MARK: Cancelling

    /// Cancels tasks and all downstream but cleanups; whether one of the targets hadn't ended.
    ///
    /// With `sparesInside` the workflows inside the targets are left alone: it is from there that the cancel comes.
    @discardableResult
    mutating func cancel(
        _ targets: [Int32], _ reason: CancellationReason, sparesInside: Bool = false,
        _ turn: inout WorkflowTurn
    ) -> (isFirst: Bool, reached: [Int32]) {
        let isFirst = targets.contains { isOpen($0) }
        let reached = graph.reach(targets, crossesGuards: false)
        for number in reached where !sparesInside || !targets.contains(number) {
            cancelInside(number, reason, &turn)
        }
        for number in reached { cancelOne(number, reason, &turn) }
        return (isFirst, reached)
    }

    /// Cancels all tasks; whether one of them hadn't ended.
    mutating func cancelAll(
        _ reason: CancellationReason, includingCleanups: Bool, isOverdue: Bool = false,
        _ turn: inout WorkflowTurn
    ) -> Bool {
        let meant = tasks.all.filter { includingCleanups || !tasks[$0].traits.contains(.cleanup) }
        let isFirst = meant.contains { isOpen($0) }
        generation += 1
        if isFirst { run.cancel(reason, isOverdue: isOverdue) }
        for number in meant { cancelInside(number, reason, &turn) }
        for number in meant { cancelOne(number, reason, &turn) }
        return isFirst
    }

    /// The first failure for good ends everything else.
    mutating func cancelOthers(than failed: Int32, _ turn: inout WorkflowTurn) {
        let reason = CancellationReason(.otherFailure, "another task has failed")
        // By one inside it, perhaps, while others there go on.
        cancelInside(failed, reason, &turn)
        for number in tasks.all where number != failed && !tasks[number].traits.contains(.cleanup) {
            cancelInside(number, reason, &turn)
            cancelOne(number, reason, &turn)
        }
    }

    private func isOpen(_ number: Int32) -> Bool {
        switch tasks[number].state {
        case .pending, .ready, .executing: true
        case .cancelled, .finished, .failed: false
        }
    }

    /// The workflow inside a task is cancelled before the task is told of.
    mutating func cancelInside(
        _ number: Int32, _ reason: CancellationReason, _ turn: inout WorkflowTurn
    ) {
        guard tasks[number].traits.contains(.subworkflow), case .object(let task) = tasks.work(number) else {
            return
        }
        turn.order(.cancelInside(task, reason, attempt: tasks[number].attempt.number))
    }

    /// Cancels a task, and nothing downstream.
    mutating func cancelOne(
        _ number: Int32, _ reason: CancellationReason, _ turn: inout WorkflowTurn
    ) {
        let old = tasks[number]
        guard isOpen(number) else { return }
        let stopped = tasks.cancel(number, for: reason)
        tasks.setHindrance(.none, number)
        if old.traits.contains(.durable) {
            // An attempt whose end is on its way to the store is over there, whatever is said of it later.
            let wasRunning = old.state == .executing && !isBeingKept(number)
            if !wasRunning { skipAttempt(number) }
            record(.cancelled(reason, wasRunning: wasRunning), number, &turn)
        }
        count(.cancelled(reason), number, turn)
        if story.isHeard { story.logEnd(number, .cancelled, at: turn.now) }
        leave(number, stopped, &turn)
        wakeWaiters(number, &turn)
        tell(.cancelled(reason), number, from: old.state, &turn)
        if isEnclosed { turn.tell(.tellOutside(.cancelled(reason))) }
        if old.hindrance == .none { releaseCleanups(number, &turn) }
    }

    /// A task no longer waits for anything, and its body is told if there is one.
    mutating func leave(
        _ number: Int32, _ stopped: Attempt.Stopped, _ turn: inout WorkflowTurn
    ) {
        if tasks[number].facts.contains(.untold) {
            tasks.remove(.untold, number)
            terms.untold[number] = nil
            terms.startsWhenTold.remove(number)
        }
        if tasks[number].traits.contains(.hasTerms) { withdrawTimers(number, &turn) }
        switch stopped {
        case .nothing, .stopping: break
        case .queued:
            handed.void(number)
            if ready.hasLeft() {
                let machine = self
                ready.removeStale { machine.mayBeginHere($0) }
            }
            // It may be the one whose turn had come again, and leaves that to the next.
            if handed.hasPutOff { handOnPutOff() }
            if tasks[number].traits.contains(.hasPools) { giveBack(number, &turn) }
        case .backingOff: turn.withdraw(TaskTimer(number: number, kind: .backOff))
        case .running(let attempt): stopBody(number, attempt, &turn)
        }
    }

    // MARK: Resetting

    /// Puts tasks and all downstream back to the beginning.
    mutating func reset(_ targets: [Int32], _ turn: inout WorkflowTurn) {
        back(graph.reach(targets, crossesGuards: true), &turn)
    }

    mutating func resetAll(_ turn: inout WorkflowTurn) {
        generation += 1
        back(Array(tasks.all), &turn)
    }

    private mutating func back(_ reached: [Int32], _ turn: inout WorkflowTurn) {
        var changed: [(number: Int32, old: WorkflowTask.State)] = []
        for number in reached where !tasks[number].facts.contains(.forgotten) {
            turn.letGo(of: terms.fulfilments.removeValue(forKey: number) ?? nil)
            guard tasks[number].state != .pending else { continue }
            changed.append((number, tasks[number].state))
            clear(number, .reset, &turn)
        }
        let meant = Set(changed.map(\.number))
        var freed: [Int32] = []
        for number in inOrder(reached) {
            reassess(number, &turn)
            guard !meant.contains(number) else { continue }
            let isFree = waitsForNothing(number)
            if isFree { freed.append(number) }
            resetInside(number, starts: isFree, &turn)
        }
        for (number, old) in changed { announce(number, .reset, from: old, starts: false, &turn) }
        begin(freed, &turn)
    }

    // MARK: Retrying

    /// Runs tasks and all downstream again that are Failed or Cancelled.
    mutating func retry(_ targets: [Int32], _ turn: inout WorkflowTurn) {
        repeatFailed(graph.reach(targets, crossesGuards: true), starts: true, &turn)
    }

    mutating func retryAll(starts: Bool, _ turn: inout WorkflowTurn) {
        repeatFailed(Array(tasks.all), starts: starts, &turn)
    }

    private mutating func repeatFailed(_ reached: [Int32], starts: Bool, _ turn: inout WorkflowTurn) {
        var retried: [(number: Int32, old: WorkflowTask.State)] = []
        for number in reached where !tasks[number].facts.contains(.forgotten) {
            let state = tasks[number].state
            guard state == .failed || state == .cancelled else { continue }
            retried.append((number, state))
            clear(number, .retried, &turn)
        }
        guard !retried.isEmpty else { return }
        // What has run although it must wait again was made from a failure that is no more: it is undone, and with it
        // whatever was made from that.
        var undone: [(number: Int32, old: WorkflowTask.State)] = []
        let meant = Set(retried.map(\.number))
        var freed: [Int32] = []
        for number in inOrder(reached) where !tasks[number].facts.contains(.forgotten) {
            reassess(number, &turn)
            if waitsForNothing(number), !meant.contains(number) { freed.append(number) }
            guard tasks[number].missing > 0 else { continue }
            guard tasks[number].state != .pending else {
                resetInside(number, starts: false, &turn)
                continue
            }
            undone.append((number, tasks[number].state))
            clear(number, .reset, &turn)
            assessHindrance(number, &turn)
        }
        for (number, old) in retried { announce(number, .retried, from: old, starts: starts, &turn) }
        for (number, old) in undone { announce(number, .reset, from: old, starts: starts, &turn) }
        begin(freed, &turn)
    }

    // MARK: Both

    /// Resets what a Pending task has inside, which was made for what its prerequisites held before.
    ///
    /// The task becomes Ready after that and no earlier.
    private mutating func resetInside(_ number: Int32, starts: Bool, _ turn: inout WorkflowTurn) {
        guard tasks[number].state == .pending, tasks[number].traits.contains(.subworkflow),
            tasks[number].attempt.number > 0, case .object(let task) = tasks.work(number)
        else { return }
        turn.tell(.resetInside(task))
        follow(number, starts: starts, &turn)
    }

    /// Takes a task back to Pending, without telling those who listen.
    mutating func clear(
        _ number: Int32, _ kind: WorkflowEvent.Kind, _ turn: inout WorkflowTurn
    ) {
        let stopped = tasks.stop(number)
        leave(number, stopped, &turn)
        turn.letGo(of: tasks.clear(number))
        if tasks[number].traits.contains(.durable) {
            journaling?.awaiting[number] = nil
            record(.cleared, number, &turn)
        }
        count(kind, number, turn)
        if story.isHeard { story.logEnd(number, .reset, at: turn.now) }
    }

    /// Finds out anew what a task waits for; in order of adding, so that prerequisites come before dependents.
    mutating func reassess(_ number: Int32, _ turn: inout WorkflowTurn) {
        var missing: Int32 = 0
        for place in graph.places(of: number) where !isSatisfied(graph.edge(at: place)) { missing += 1 }
        if missing == 0, tasks[number].missing > 0, tasks[number].facts.contains(.untold) {
            terms.startsWhenTold.insert(number)
        }
        tasks.setMissing(missing, number)
        assessHindrance(number, &turn)
    }

    /// Whether a Pending task could run that nothing is still to be told of.
    func waitsForNothing(_ number: Int32) -> Bool {
        let node = tasks[number]
        return node.state == .pending && node.missing == 0 && !node.facts.contains(.untold)
    }

    /// What a message has not changed, but has freed: where a cancellation upstream has become a failure that is allowed.
    private mutating func begin(_ freed: [Int32], _ turn: inout WorkflowTurn) {
        for number in freed where waitsForNothing(number) { becomeReady(number, starts: true, &turn) }
    }

    private func inOrder(_ reached: [Int32]) -> [Int32] {
        zip(reached, reached.dropFirst()).allSatisfy(<) ? reached : reached.sorted()
    }

    /// Tells of a reset or retry; the task becomes Ready after that, if nothing holds it back.
    private mutating func announce(
        _ number: Int32, _ kind: TaskChange.Kind, from old: WorkflowTask.State, starts: Bool,
        _ turn: inout WorkflowTurn
    ) {
        guard tasks[number].state == .pending else { return }
        tell(kind, number, from: old, &turn)
        follow(number, starts: starts, &turn)
    }
}
