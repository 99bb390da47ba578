import SteplineEngine
import SteplineSupport

/// Messages: cancel, reset and retry, of tasks with all downstream or of the whole workflow.
///
/// Each message is one transaction. Every task that is reached changes once. Prerequisites change before their
/// dependents, as a task's number is higher than those of its prerequisites. A reset or retry changes all tasks first,
/// finds out what each waits for, and notifies the listeners last.
extension WorkflowMachine {
    // MARK: Cancelling

    /// Cancels tasks and all downstream but cleanups.
    ///
    /// - Parameter sparesInside: Leaves the workflows inside the targets alone: the cancel comes from there.
    /// - Returns: Whether one of the targets had not ended, and all tasks that were reached. Also if all targets had
    ///   ended, the open tasks downstream are cancelled.
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

    /// Cancels all tasks; returns whether one of them had not ended.
    mutating func cancelAll(
        _ reason: CancellationReason, includingCleanups: Bool, isOverdue: Bool = false,
        _ turn: inout WorkflowTurn
    ) -> Bool {
        let meant = tasks.all.filter { includingCleanups || !tasks[$0].traits.contains(.cleanup) }
        let isFirst = meant.contains { isOpen($0) }
        // Also if no task is open: a task around that looked at this workflow before the cancel must look again.
        generation += 1
        // A cancel that stops nothing leaves the reason of an earlier one in the report.
        if isFirst { run.cancel(reason, isOverdue: isOverdue) }
        for number in meant { cancelInside(number, reason, &turn) }
        for number in meant { cancelOne(number, reason, &turn) }
        return isFirst
    }

    /// Cancels all tasks but the one that has failed, and cleanups.
    mutating func cancelOthers(than failed: Int32, _ turn: inout WorkflowTurn) {
        let reason = CancellationReason(.otherFailure, "another task has failed")
        // The task may have failed by one task inside it, while others there go on.
        cancelInside(failed, reason, &turn)
        for number in tasks.all where number != failed && !tasks[number].traits.contains(.cleanup) {
            cancelInside(number, reason, &turn)
            cancelOne(number, reason, &turn)
        }
    }

    func isOpen(_ number: Int32) -> Bool {
        switch tasks[number].state {
        case .pending, .ready, .executing: true
        case .cancelled, .finished, .failed: false
        }
    }

    /// Cancels the workflow inside a task, before the listeners of the task are notified.
    mutating func cancelInside(
        _ number: Int32, _ reason: CancellationReason, _ turn: inout WorkflowTurn
    ) {
        guard tasks[number].traits.contains(.subworkflow), case .object(let task) = tasks.work(number) else {
            return
        }
        turn.order(.cancelInside(task, reason, attempt: tasks[number].attempt.number))
    }

    /// Takes a stopped task out of what it waits for, and stops its body if it has one.
    mutating func leave(
        _ number: Int32, _ stopped: Attempt.Stopped, _ turn: inout WorkflowTurn
    ) {
        if tasks[number].facts.contains(.listenersPending) {
            tasks.remove(.listenersPending, number)
            // This message overtakes the change whose listeners are pending. The effect of that change then does
            // nothing.
            rare.notifications -= 1
            rare.overtaken[number, default: 0] += 1
            rare.startsWhenNotified.remove(number)
        }
        if tasks[number].traits.contains(.hasRareState) { withdrawTimers(number, &turn) }
        switch stopped {
        // The body of a `stopping` attempt was stopped before. Only the attempt after it is dropped.
        case .nothing, .stopping: break
        case .queued:
            // The entry may still be in a user's queue. Without a ticket its call begins nothing.
            external.void(number)
            if ready.hasLeft() {
                // A copy, because the closure can't read `self` while its part `ready` changes.
                let machine = self
                ready.removeStale { machine.mayBeginHere($0) }
            }
            // The task may be a deferred one that was handed to its queue again: the next one takes its place.
            if external.hasDeferred { releaseDeferred() }
            if tasks[number].traits.contains(.hasPools) { giveBack(number, &turn) }
        case .backingOff: turn.withdraw(TaskTimer(number: number, kind: .backOff))
        case .running(let attempt): stopBody(number, attempt, &turn)
        }
    }

    // MARK: Resetting

    /// Puts tasks and all downstream back to the beginning.
    mutating func reset(_ targets: [Int32], _ turn: inout WorkflowTurn) {
        putBack(graph.reach(targets, crossesGuards: true), &turn)
    }

    mutating func resetAll(_ turn: inout WorkflowTurn) {
        generation += 1
        putBack(Array(tasks.all), &turn)
    }

    private mutating func putBack(_ reached: [Int32], _ turn: inout WorkflowTurn) {
        var cleared: [(number: Int32, transition: TaskTransition?)] = []
        for number in reached where !tasks[number].facts.contains(.forgotten) {
            // A reset takes the fulfilment of a Pending condition back as well.
            turn.releaseAfterUnlock(rare.fulfilments.removeValue(forKey: number) ?? nil)
            guard tasks[number].state != .pending else { continue }
            cleared.append((number, clear(number, .reset, &turn)))
        }
        let meant = Set(cleared.map(\.number))
        var freed: [Int32] = []
        for number in inOrder(reached) {
            reassess(number, &turn)
            // The other tasks were Pending before and stay so, but the message may have changed what they wait for.
            guard !meant.contains(number) else { continue }
            let isFree = waitsForNothing(number)
            if isFree { freed.append(number) }
            resetInside(number, isRetry: false, starts: isFree, &turn)
        }
        for (number, transition) in cleared { notifyCleared(number, transition, starts: false, &turn) }
        begin(freed, &turn)
    }

    // MARK: Retrying

    /// Runs tasks and all downstream again that are Failed or Cancelled.
    mutating func retry(_ targets: [Int32], starts: Bool = true, _ turn: inout WorkflowTurn) {
        repeatFailed(graph.reach(targets, crossesGuards: true), starts: starts, &turn)
    }

    mutating func retryAll(starts: Bool, _ turn: inout WorkflowTurn) {
        repeatFailed(Array(tasks.all), starts: starts, &turn)
    }

    private mutating func repeatFailed(_ reached: [Int32], starts: Bool, _ turn: inout WorkflowTurn) {
        var cleared: [(number: Int32, transition: TaskTransition?)] = []
        for number in reached where !tasks[number].facts.contains(.forgotten) {
            let state = tasks[number].state
            guard state == .failed || state == .cancelled else { continue }
            cleared.append((number, clear(number, .retried, &turn)))
        }
        guard !cleared.isEmpty else { return }
        // A task that has run, and has to wait again, used a failure that is gone: it is reset, and so is all that used
        // its end.
        let meant = Set(cleared.map(\.number))
        var freed: [Int32] = []
        var enclosing: [Int32] = []  // Pending tasks around workflows
        for number in inOrder(reached) where !tasks[number].facts.contains(.forgotten) {
            reassess(number, &turn)
            if waitsForNothing(number), !meant.contains(number) { freed.append(number) }
            guard tasks[number].missing > 0 else { continue }
            guard tasks[number].state != .pending else {
                if tasks[number].traits.contains(.subworkflow) { enclosing.append(number) }
                continue
            }
            cleared.append((number, clear(number, .reset, &turn)))
            // Again after the change: above, the task wasn't Pending, so it couldn't be blocked.
            updateBlockage(number, &turn)
        }
        if !enclosing.isEmpty {
            // Work that was started inside these used the ends that are cleared.
            let stale = Set(graph.reach(cleared.map(\.number), crossesGuards: true))
            for number in enclosing where stale.contains(number) {
                resetInside(number, isRetry: true, starts: false, &turn)
            }
        }
        for (number, transition) in cleared { notifyCleared(number, transition, starts: starts, &turn) }
        begin(freed, &turn)
    }

    // MARK: Both

    /// Resets the workflow inside a Pending task, which used what its prerequisites held before.
    ///
    /// The task becomes Ready after that and no earlier.
    private mutating func resetInside(
        _ number: Int32, isRetry: Bool, starts: Bool, _ turn: inout WorkflowTurn
    ) {
        guard tasks[number].state == .pending, tasks[number].traits.contains(.subworkflow),
            case .object(let task) = tasks.work(number)
        else { return }
        turn.tell(.resetInside(task, isRetry: isRetry))
        follow(number, starts: starts, &turn)
    }

    /// Counts the prerequisites that a task waits for, and updates its blockage.
    ///
    /// Call it in order of adding, so that prerequisites come before dependents.
    mutating func reassess(_ number: Int32, _ turn: inout WorkflowTurn) {
        var missing: Int32 = 0
        for place in graph.places(of: number) where !isSatisfied(graph.edge(at: place)) { missing += 1 }
        if missing == 0, tasks[number].missing > 0, tasks[number].facts.contains(.listenersPending) {
            // The last prerequisite is satisfied while listeners are pending. No later event would start the task.
            rare.startsWhenNotified.insert(number)
        }
        tasks.setMissing(missing, number)
        updateBlockage(number, &turn)
    }

    /// Whether a task is Pending and could be Ready: no prerequisite holds it back, and no listener is pending.
    func waitsForNothing(_ number: Int32) -> Bool {
        let node = tasks[number]
        return node.state == .pending && node.missing == 0 && !node.facts.contains(.listenersPending)
    }

    /// Begins tasks that a message has freed without changing them: a cancellation upstream became an allowed failure.
    private mutating func begin(_ freed: [Int32], _ turn: inout WorkflowTurn) {
        // Asked again: since then `resetInside` may have made a task Ready, or has it wait for its listeners.
        for number in freed where waitsForNothing(number) { becomeReady(number, starts: true, &turn) }
    }

    private func inOrder(_ reached: [Int32]) -> [Int32] {
        zip(reached, reached.dropFirst()).allSatisfy(<) ? reached : reached.sorted()
    }

    // MARK: Inside a task

    /// Starts the workflow for an attempt of the task around it, if the workflow is in that generation.
    ///
    /// - Returns: How the workflow stands; nil if it has left that generation, and nothing was done.
    mutating func enter(
        _ attempt: UInt32, in generation: UInt64, takesBack: Bool, isMap: Bool,
        _ turn: inout WorkflowTurn
    ) -> SubworkflowTask.Inside? {
        // A reset or cancel came after the task around has looked. A start here would undo what that message did.
        guard self.generation == generation else { return nil }
        self.generation += 1
        enclosingAttempt = attempt
        // A run that is resumed after its process was killed has taken them back before.
        if takesBack { takeBackFailed(&turn) }
        // An empty workflow is complete, but is started: its listeners get the start and the end.
        // A map decides by its elements.
        let inside = tasks.count > 0 && !isMap ? insideState : .open
        if case .open = inside {
            announce(.willStart, &turn)
            startRun(nil, &turn)
        }
        return inside
    }

    /// Takes the Failed and Cancelled tasks back, if there are any.
    mutating func takeBackFailed(_ turn: inout WorkflowTurn) {
        if tasks.counts[.failed] > 0 || hasCancelled { takeBack(&turn) }
    }

    /// Takes the Failed and Cancelled tasks back, without starting them.
    mutating func takeBack(_ turn: inout WorkflowTurn) {
        announce(.willRetry, &turn)
        retryAll(starts: false, &turn)
    }

    /// How the task around this workflow ends.
    var insideState: SubworkflowTask.Inside {
        // In this order: a failure outranks a cancellation, whichever was earlier.
        if isComplete { return .finished }
        if let earliestFailure { return .failed(earliestFailure) }
        return hasCancelled ? .cancelled : .open
    }

    /// The fatal failure of the earliest date; of equal ones, the first added.
    private var earliestFailure: TaskFailure? {
        let first = fatalFailures.min { (tasks.endedAt($0), $0) < (tasks.endedAt($1), $1) }
        return first.flatMap { tasks.failure($0) }
    }
}
