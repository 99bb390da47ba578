import SteplineEngine
import SteplineSupport

/// The changes of a task's state, and the one path that hands them to all listeners.
///
/// Every method that stores a new state calls `report` next, which hands the change on in this order:
///
/// 1. the journal of a durable run, for cancellations and resets (it gets begins and ends by ``recordBegin(_:_:)`` and
///    ``commit(_:_:_:by:isOnWorker:_:)``, before the state changes),
/// 2. the event readers, then the attempt log, then Swift tasks that await the end,
/// 3. observers, callbacks, hooks, delegates and notifications,
/// 4. the task around this workflow,
/// 5. the run, which is complete when its last leaf has finished.
///
/// 1 and 2 happen under the lock. 3 to 5 are effects for the notifying thread, which performs them in order after
/// unlock.
///
/// Dependents proceed after that. If a task has hooks, observers or callbacks, its dependents wait until these were
/// called: the task has the fact `.listenersPending` meanwhile. A task without listeners costs no more than the store
/// of its state.
extension WorkflowMachine {
    // MARK: Reporting

    /// Hands a change of state that was just stored to all listeners.
    @inline(__always)
    mutating func report(
        _ kind: @autoclosure () -> TaskTransition.Kind, _ number: Int32, from old: WorkflowTask.State,
        _ turn: inout WorkflowTurn
    ) {
        eventLog.countEvent()
        if hasListeners(number, of: kind()) {
            if let transition = record(kind(), number, from: old, &turn) { turn.tell(.notify(transition)) }
        }
        if isEnclosed { notifyEnclosing(kind(), number, &turn) }
        // The last open leaf has finished, or is a cleanup that isn't needed.
        if tasks.openLeaves == 0, tasks[number].isLeaf { announce(.complete, &turn) }
    }

    /// Whether tasks without traits become Ready and begin without listeners, and without waiting for bodies of
    /// cleanups.
    @inline(__always)
    var isQuiet: Bool { !eventLog.recordsEvents && !notifiesAll && !rare.hasCleanups }

    /// Whether anything is to get a change of a task's state.
    @inline(__always)
    private func hasListeners(_ number: Int32, of kind: @autoclosure () -> TaskTransition.Kind) -> Bool {
        eventLog.recordsEvents || notifiesAll && kind().isAnnounced || tasks[number].facts.contains(.awaited)
            || !tasks[number].traits.isDisjoint(with: [.watched, .hasHooks, .durable])
    }

    /// Hands a change to the listeners under the lock: the journal, event readers, the attempt log and waiters.
    ///
    /// - Returns: The change for the listeners that are called after unlock; nil if there are none.
    private mutating func record(
        _ kind: TaskTransition.Kind, _ number: Int32, from old: WorkflowTask.State,
        _ turn: inout WorkflowTurn
    ) -> TaskTransition? {
        if tasks[number].traits.contains(.durable) { journal(kind, number, from: old, &turn) }
        if eventLog.recordsEvents {
            let name = eventLog.hasReaders ? name(number) : nil
            eventLog.record(kind, number, attempt: Int(tasks[number].attempt.number), name, &turn)
        }
        switch kind {
        case .finished, .failed, .cancelled: wakeWaiters(number, &turn)
        case .ready, .started, .attemptFailed, .reset, .retried: break
        }
        guard isNotified(kind, number) else { return nil }
        return TaskTransition(
            number, kind, WorkflowTask.Change(oldState: old, snapshot: snapshot(number)),
            event: eventLog.count)
    }

    /// Whether listeners that are called after unlock get a change.
    private func isNotified(_ kind: TaskTransition.Kind, _ number: Int32) -> Bool {
        let traits = tasks[number].traits
        return traits.contains(.watched) || notifiesAll && kind.isAnnounced
            || traits.contains(.hasHooks) && kind.hasHook
    }

    /// Queues the notification of the task around this workflow, which may fail or be cancelled by this change.
    private func notifyEnclosing(
        _ kind: TaskTransition.Kind, _ number: Int32, _ turn: inout WorkflowTurn
    ) {
        switch kind {
        // A failure that all dependents allow doesn't fail the task around.
        case .failed(let failure) where isFatal(number): turn.tell(.notifyEnclosing(.failed(failure.error)))
        // A cleanup that isn't needed must not cancel the task around.
        case .cancelled(let reason) where !tasks[number].facts.contains(.unneeded):
            turn.tell(.notifyEnclosing(.cancelled(reason)))
        default: break
        }
    }

    /// Whether a task has listeners that are notified before its body begins.
    @inline(__always)
    func isObserved(_ number: Int32) -> Bool { notifiesAll || tasks[number].traits.contains(.watched) }

    /// Wakes the Swift tasks that await the end of a task.
    mutating func wakeWaiters(_ number: Int32, _ turn: inout WorkflowTurn) {
        guard tasks[number].facts.contains(.awaited) else { return }
        tasks.remove(.awaited, number)
        let snapshot = snapshot(number)
        guard var waiters = rare.waiters.removeValue(forKey: number) else { return }
        for waiter in waiters.takeAll() {
            (waiter as? EndWaiter)?.snapshot = snapshot
            turn.wake(waiter)
        }
    }

    // MARK: Following

    /// Lets dependents proceed once the listeners of a change have been notified; at once if there are none.
    @inline(__always)
    mutating func follow(_ number: Int32, starts: Bool, _ turn: inout WorkflowTurn) {
        guard notifiesAll || !tasks[number].traits.isDisjoint(with: [.watched, .hasHooks]) else {
            return proceed(number, starts: starts, &turn)
        }
        if tasks[number].facts.contains(.listenersPending) {
            rare.overtaken[number, default: 0] += 1
        } else {
            tasks.insert(.listenersPending, number)
            rare.notifications += 1
        }
        turn.tell(.notified(number, starts: starts))
    }

    /// The listeners of a change have been notified.
    mutating func listenersNotified(_ number: Int32, starts: Bool, _ turn: inout WorkflowTurn) {
        // Stale: a message came between the change and this effect. A reset or retry has queued an effect of its own,
        // which comes behind this one.
        guard !isDisbanded, !isOvertaken(number) else { return }
        rare.notifications -= 1
        tasks.remove(.listenersPending, number)
        let wasStarted = !rare.startsWhenNotified.isEmpty && rare.startsWhenNotified.remove(number) != nil
        proceed(number, starts: starts || wasStarted, &turn)
    }

    /// Whether a message has overtaken the oldest queued effect of a task; counts that effect as performed.
    private mutating func isOvertaken(_ number: Int32) -> Bool {
        guard !rare.overtaken.isEmpty, let count = rare.overtaken[number] else { return false }
        rare.overtaken[number] = count > 1 ? count - 1 : nil
        return true
    }

    @inline(__always)
    private mutating func proceed(_ number: Int32, starts: Bool, _ turn: inout WorkflowTurn) {
        switch tasks[number].state {
        case .finished: releaseDependents(number, &turn) { _ in true }
        case .failed: releaseDependents(number, &turn) { $0 != .needs }
        case .pending where tasks[number].missing == 0: becomeReady(number, starts: starts, &turn)
        case .pending, .ready, .executing, .cancelled: break
        }
    }

    // MARK: Changes

    /// Makes a task Ready whose prerequisites are satisfied.
    @inline(__always)
    mutating func becomeReady(_ number: Int32, starts: Bool, _ turn: inout WorkflowTurn) {
        if starts, isQuiet, tasks.enqueuePlain(number) {
            eventLog.countEvent()
            return ready.append(number, priority: ReadyQueue.normal)
        }
        if starts, isUnneeded(number) { return skipCleanup(number, from: .pending, &turn) }
        tasks.setState(.ready, number)
        report(.ready, number, from: .pending, &turn)
        if starts, !isUnattended(number) { start(number, &turn) }
    }

    @inline(__always)
    mutating func finish(
        _ number: Int32, _ value: consuming (any Sendable)?, _ turn: inout WorkflowTurn
    ) {
        tasks.finish(number, with: value, at: turn.now)
        report(.finished, number, from: .executing, &turn)
        follow(number, starts: true, &turn)
    }

    /// Fails a task for good.
    mutating func fail(
        _ number: Int32, _ failure: TaskFailure, from old: WorkflowTask.State, _ turn: inout WorkflowTurn
    ) {
        tasks.fail(number, with: failure, at: turn.now)
        report(.failed(failure), number, from: old, &turn)
        // Readers get the events `blocked` before the dependents that allow this failure become Ready.
        blockDependents(number, &turn)
        follow(number, starts: true, &turn)
        if options.onFailure == .cancelOthers, isFatal(number) { cancelOthers(than: number, &turn) }
    }

    /// Puts a task back to Ready after a failure, until its next attempt begins.
    mutating func retryLater(
        _ number: Int32, _ failure: TaskFailure, after wait: Duration, _ turn: inout WorkflowTurn
    ) {
        tasks.setState(.ready, number)
        // `afterBody` sets the timer once the old body is over.
        rare[live: number].wait = wait
        report(.attemptFailed(failure, wait: wait), number, from: .executing, &turn)
    }

    /// Cancels a task that has not ended, and nothing downstream.
    mutating func cancelOne(
        _ number: Int32, _ reason: CancellationReason, _ turn: inout WorkflowTurn
    ) {
        let old = tasks[number]
        guard isOpen(number) else { return }
        let stopped = tasks.cancel(number, for: reason)
        tasks.setBlockage(.none, number)
        report(.cancelled(reason), number, from: old.state, &turn)
        leave(number, stopped, &turn)
        // A blocked task counted as over before: its cleanups must not count it twice.
        if old.blockage == .none { releaseCleanups(number, &turn) }
    }

    /// Ends a cleanup that has nothing to clean up; it is Cancelled, which counts neither for nor against the workflow.
    mutating func skipCleanup(
        _ number: Int32, from old: WorkflowTask.State, _ turn: inout WorkflowTurn
    ) {
        let reason = CancellationReason(.unwanted, "not needed")
        tasks.isNotNeeded(number, for: reason)
        report(.cancelled(reason), number, from: old, &turn)
        releaseCleanups(number, &turn)
    }

    /// Takes a task back to Pending.
    ///
    /// - Returns: The change, if there are listeners. The caller passes it to `notifyCleared` when all tasks are
    ///   changed.
    @discardableResult
    mutating func clear(
        _ number: Int32, _ kind: TaskTransition.Kind, _ turn: inout WorkflowTurn
    ) -> TaskTransition? {
        let old = tasks[number].state
        let stopped = tasks.stop(number)
        leave(number, stopped, &turn)
        turn.releaseAfterUnlock(tasks.clear(number))
        // Counted here, because `report` isn't called: listeners are notified when all
        // tasks of the message are changed.
        eventLog.countEvent()
        return hasListeners(number, of: kind) ? record(kind, number, from: old, &turn) : nil
    }

    /// Notifies the listeners of a reset or retry; the task becomes Ready after that, if no prerequisite holds it back.
    mutating func notifyCleared(
        _ number: Int32, _ transition: TaskTransition?, starts: Bool, _ turn: inout WorkflowTurn
    ) {
        guard tasks[number].state == .pending else { return }
        if let transition { turn.tell(.notify(transition)) }
        follow(number, starts: starts, &turn)
    }
}
