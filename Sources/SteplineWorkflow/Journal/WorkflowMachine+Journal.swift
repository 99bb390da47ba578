import SteplineEngine
import SteplineSupport

import struct Foundation.Date

/// A durable run: its journal records an end before the end counts.
///
/// `end` hands an end to the journal by ``commit(_:_:_:by:isOnWorker:_:)`` and leaves the task Executing. The journal
/// answers with `wasKept`, which ends the attempt, or with `wasNotKept`, `wasRefused` or `cannotKeep`. If a message
/// stops the attempt meanwhile, the answer changes nothing. With `isRelaxed` an end counts at once. Cancellations and
/// resets are recorded as they happen.
///
/// | Answer | If the attempt is Executing | If it was stopped |
/// | --- | --- | --- |
/// | `wasKept` | ends as recorded | only notes that its body is over |
/// | `wasNotKept` | is cancelled, with all downstream | only notes that its body is over |
/// | `wasRefused` | ends as its body elsewhere does; is cancelled if it has none | only notes that its body is over |
/// | `cannotKeep` | the failure is recorded instead | the same |
///
/// While an answer is due, the body may report again, or return. `Commit` keeps both facts, and the answer passes them
/// on.
extension WorkflowMachine {
    // MARK: Ends

    /// Hands the first end of an attempt to the journal; returns false if the end counts at once.
    mutating func commit(
        _ number: Int32, _ attempt: UInt32, _ end: AttemptResult, by source: Attempt.Source,
        isOnWorker: Bool, _ turn: inout WorkflowTurn
    ) -> Bool {
        let node = tasks[number]
        guard journaling != nil, node.attempt.isRunning(attempt) else { return false }
        // The first end is on its way to the journal and counts. After a time-out the body's own end
        // only says that the body is over.
        if let commit = commit(of: number, attempt) {
            if source == .body {
                commit.isReported = true
                if journaling?.isElsewhere == true, commit.bodyEnd == nil {
                    commit.bodyEnd = Journaling.Commit(attempt: attempt, end: end, source: source)
                }
            }
            return true
        }
        if case .failed(let failure, let wait?) = end, journaling?.isAlone == false {
            // No task uses this failure, so the next attempt doesn't wait for its record.
            record(.retries(failure.error, after: wait), number, &turn)
            return false
        }
        if journaling?.isRelaxed == true {
            recordEnd(end, number, isAwaited: false, mayBlock: false, &turn)
            return false
        }
        // The outcome is decided: while the journal writes, no time limit may end the attempt.
        for kind in [AttemptTimer.timeout, .delay, .watchdog, .deadline]
        where node.traits.contains(.hasRareState) {
            turn.withdraw(TaskTimer(number: number, kind: kind))
        }
        let commit = Journaling.Commit(attempt: attempt, end: end, source: source)
        // An end of an earlier attempt may be replaced here. The answer to that end is ignored.
        turn.releaseAfterUnlock(journaling?.commits.updateValue(commit, forKey: number))
        // A closure has returned on the thread that runs it, where the journal may write at once.
        var mayBlock = false
        if isOnWorker, case .closure = tasks.work(number) { mayBlock = true }
        recordEnd(end, number, isAwaited: true, mayBlock: mayBlock, &turn)
        return true
    }

    private mutating func recordEnd(
        _ end: AttemptResult, _ number: Int32, isAwaited: Bool, mayBlock: Bool, _ turn: inout WorkflowTurn
    ) {
        switch end {
        case .finished(let value):
            record(.finished(value), number, isAwaited: isAwaited, mayBlock: mayBlock, &turn)
        case .failed(let failure, let wait?):
            record(
                .retries(failure.error, after: wait), number, isAwaited: isAwaited, mayBlock: mayBlock, &turn)
        case .failed(let failure, nil):
            record(.failed(failure.error), number, isAwaited: isAwaited, mayBlock: mayBlock, &turn)
        }
    }

    /// Notes that the body of an attempt is over; returns false if no end of it is being recorded.
    mutating func isOverBeforeKept(_ job: TaskJob) -> Bool {
        guard let commit = commit(of: job.number, job.attempt) else { return false }
        commit.isOver = true
        return true
    }

    /// The workflow inside a task has settled, so the body of the attempt is over, also if its end is still being
    /// recorded.
    mutating func insideIsOver(_ number: Int32, _ attempt: UInt32, _ turn: inout WorkflowTurn) {
        commit(of: number, attempt)?.isReported = true
        bodyReported(number, attempt, &turn)
    }

    /// Whether so many ends are being recorded that no further body begins on a worker.
    @inline(__always)
    var hasMostCommits: Bool { (journaling?.commits.count ?? 0) >= Journaling.mostCommits }

    /// Whether a task waits until ends are recorded; those of an operation queue or an executor don't.
    func isHeldByStore(_ number: Int32) -> Bool {
        hasMostCommits && !tasks[number].traits.contains(.isExternal)
    }

    /// Whether an end of the task's last attempt is being recorded.
    func isBeingKept(_ number: Int32) -> Bool {
        commit(of: number, tasks[number].attempt.number) != nil
    }

    /// An end is recorded: it counts now, unless the attempt was stopped meanwhile.
    mutating func wasKept(_ entry: JournalEntry, _ turn: inout WorkflowTurn) {
        let number = Int32(entry.number)
        guard let commit = takeCommit(number, UInt32(truncatingIfNeeded: entry.attempt), &turn) else {
            return
        }
        take(commit, of: number, &turn)
    }

    private mutating func take(_ commit: Journaling.Commit, of number: Int32, _ turn: inout WorkflowTurn) {
        endAtOnce(number, commit.attempt, commit.end, by: commit.source, &turn)
        // A time-out was recorded, and meanwhile the body has reported an end of its own.
        if commit.isReported, commit.source != .body { bodyReported(number, commit.attempt, &turn) }
        guard commit.isOver else { return }
        afterBody(number, tasks.bodyReturned(number, commit.attempt, isOver: true), &turn)
    }

    /// An end can't be recorded: the task is cancelled instead.
    mutating func wasNotKept(_ number: Int32, _ attempt: UInt32, _ turn: inout WorkflowTurn) {
        guard let commit = takeCommit(number, attempt, &turn) else { return }
        // A newer attempt has nothing to do with the end of a stopped one.
        if tasks[number].attempt.isRunning(attempt) { cancel([number], .storeFailed, &turn) }
        if commit.isReported { bodyReported(number, attempt, &turn) }
        if commit.isOver { afterBody(number, tasks.bodyReturned(number, attempt, isOver: true), &turn) }
    }

    /// An end was refused: the store has a later attempt, or another end of this one.
    ///
    /// The result of a body elsewhere can reach the store before a deadline here does. That result counts. The journal
    /// has ended the body already, or ends it later.
    mutating func wasRefused(_ number: Int32, _ attempt: UInt32, _ turn: inout WorkflowTurn) {
        guard journaling?.isElsewhere == true, tasks[number].attempt.isRunning(attempt),
            let commit = commit(of: number, attempt), commit.source == .outside,
            tasks[number].traits.isDisjoint(with: [.subworkflow, .condition])
        else { return wasNotKept(number, attempt, &turn) }
        _ = takeCommit(number, attempt, &turn)
        guard let bodyEnd = commit.bodyEnd else { return }
        bodyEnd.isOver = commit.isOver
        journaling?.commits[number] = bodyEnd
        recordEnd(bodyEnd.end, number, isAwaited: true, mayBlock: false, &turn)
    }

    /// A result can't be recorded: the attempt fails instead.
    mutating func cannotKeep(
        _ number: Int32, _ attempt: UInt32, _ failure: TaskFailure, _ turn: inout WorkflowTurn
    ) {
        guard let commit = commit(of: number, attempt) else { return }
        turn.releaseAfterUnlock(commit.end)
        commit.end = .failed(failure, retryAfter: nil)
        // The failure is recorded like any end: the task stays Executing until the answer.
        record(.failed(failure.error), number, isAwaited: true, &turn)
    }

    /// Returns the end of an attempt that is being recorded.
    private func commit(of number: Int32, _ attempt: UInt32) -> Journaling.Commit? {
        guard let commit = journaling?.commits[number], commit.attempt == attempt else { return nil }
        return commit
    }

    /// Removes an end that was being recorded; what it holds is released after unlock.
    private mutating func takeCommit(
        _ number: Int32, _ attempt: UInt32, _ turn: inout WorkflowTurn
    ) -> Journaling.Commit? {
        guard let commit = commit(of: number, attempt) else { return nil }
        journaling?.commits[number] = nil
        turn.releaseAfterUnlock(commit)
        return commit
    }

    // MARK: Everything else

    /// Records a change of state that is no end: a cancellation or a reset.
    mutating func journal(
        _ kind: TaskTransition.Kind, _ number: Int32, from old: WorkflowTask.State,
        _ turn: inout WorkflowTurn
    ) {
        switch kind {
        case .cancelled(let reason) where !tasks[number].facts.contains(.unneeded):
            // An attempt whose end is on its way to the store is over there, whatever the store gets later.
            let wasRunning = old == .executing && !isBeingKept(number)
            if !wasRunning { skipAttempt(number) }
            record(.cancelled(reason, wasRunning: wasRunning), number, &turn)
        case .reset, .retried:
            // A condition that is put back waits anew, for its whole time.
            journaling?.awaiting[number] = nil
            record(.cleared, number, &turn)
        case .ready, .started, .attemptFailed, .finished, .failed, .cancelled: break
        }
    }

    /// Hands an entry to the journal.
    mutating func record(
        _ kind: JournalEntry.Kind, _ number: Int32, isAwaited: Bool = false, mayBlock: Bool = false,
        _ turn: inout WorkflowTurn
    ) {
        let attempt = tasks[number].attempt
        if mayBlock { recordsHere = true }
        turn.order(
            .record(
                JournalEntry(
                    kind, at: turn.now, number, attempt, skipped: journaling?.skipped[number] ?? 0,
                    isAwaited: isAwaited,
                    mayBlock: mayBlock)))
    }

    /// Uses up the number of an attempt that never began.
    ///
    /// The store knows an end by the number of its attempt, also that of an attempt that was stopped before it began.
    private mutating func skipAttempt(_ number: Int32) {
        if tasks[number].attempt.hasBody {
            // The live body reports under its own number, so that number must stay for now.
            journaling?.skipped[number, default: 0] += 1
        } else {
            tasks.skipAttempt(number)
        }
    }

    /// Has the next attempt of a task begin behind all numbers that are used up.
    mutating func skipUsedNumbers(_ number: Int32) {
        guard let count = journaling?.skipped.removeValue(forKey: number) else { return }
        for _ in 0..<count { tasks.skipAttempt(number) }
    }

    /// Records the begin of an attempt; returns nil if the body has to wait until that is recorded.
    mutating func recordBegin(_ job: TaskJob, _ turn: inout WorkflowTurn) -> TaskJob? {
        let attempt = tasks[job.number].attempt
        // Only bodies count as interrupted: the tasks inside have begins of their own.
        if job.traits.contains(.subworkflow) { return job }
        guard journaling?.isCareful == true else {
            record(.began, job.number, &turn)
            return job
        }
        let entry = WorkflowEffect.record(JournalEntry(.began, at: turn.now, job.number, attempt, job: job))
        // The answer begins the body, so the entry must not overtake the notifications of the begin.
        if isObserved(job.number) { turn.tell(entry) } else { turn.order(entry) }
        return nil
    }

    /// Records that a condition with a bounded time waits; returns how long it has waited in earlier processes.
    mutating func recordWait(_ number: Int32, _ turn: inout WorkflowTurn) -> Duration {
        let date = journaling?.awaiting.removeValue(forKey: number)
        record(.awaits(since: date), number, &turn)
        guard let date else { return .zero }
        return max(.zero, turn.now - eventLog.instant(date.timeIntervalSinceReferenceDate))
    }

    // MARK: Coming back

    /// Begins to record a workflow that was never started, and restores its tasks.
    mutating func restore(
        _ restored: [RestoredTask], isCareful: Bool, isRelaxed: Bool, isElsewhere: Bool,
        _ turn: inout WorkflowTurn
    ) {
        journaling = Journaling(isCareful: isCareful, isRelaxed: isRelaxed, isElsewhere: isElsewhere)
        for number in tasks.all {
            // Before the task is durable, so this reset isn't recorded.
            if tasks[number].traits.contains(.condition) { takeBackCondition(number, &turn) }
            tasks.insert(.durable, number)
        }
        restore(restored, &turn)
        cancelWhatFailureEnds(&turn)
    }

    /// Cancels all other tasks after a fatal failure: the process may have ended before it did that.
    private mutating func cancelWhatFailureEnds(_ turn: inout WorkflowTurn) {
        guard options.onFailure == .cancelOthers,
            let failed = tasks.all.first(where: { tasks[$0].state == .failed && isFatal($0) })
        else { return }
        // The task around has a state of its own, and isn't notified of a failure in an earlier process.
        let wasEnclosed = isEnclosed
        isEnclosed = false
        cancelOthers(than: failed, &turn)
        isEnclosed = wasEnclosed
    }

    /// Restores tasks that were never started.
    mutating func restore(_ restored: [RestoredTask], _ turn: inout WorkflowTurn) {
        var waits: [(Int32, Duration)] = []
        for task in restored {
            let number = Int32(task.number)
            let ended = eventLog.instant(task.ended.timeIntervalSinceReferenceDate)
            tasks.restore(task, endedAt: ended)
            if let pool = task.pool { require(pool, number) }
            switch task.state {
            case .waiting(let wait): waits.append((number, wait))
            case .awaiting(let date): journaling?.awaiting[number] = date
            case .finished, .failed: eventLog.noteEnd(number)
            case .open, .cancelled: break
            }
        }
        for number in tasks.all {
            reassess(number, &turn)
            guard waitsForNothing(number) else { continue }
            if isUnneeded(number) {
                skipCleanup(number, from: .pending, &turn)
            } else {
                // Without `report`: nothing has happened in this process that listeners could be notified of.
                tasks.setState(.ready, number)
            }
        }
        // A caller may await a task before the run is opened. A task that ended in an earlier process has no later end.
        for task in restored where !isOpen(Int32(task.number)) { wakeWaiters(Int32(task.number), &turn) }
        // After all states: only now it is known which tasks are Ready.
        for (number, wait) in waits where tasks[number].state == .ready {
            tasks.backOff(number)
            turn.set(TaskTimer(number: number, kind: .backOff), after: wait)
        }
    }

    /// Restores the task of a map's element, which has no prerequisites and was just added; starts it in a run.
    mutating func restoreElement(_ number: Int32, _ task: RestoredTask, _ turn: inout WorkflowTurn) {
        tasks.restore(task, number, endedAt: eventLog.instant(task.ended.timeIntervalSinceReferenceDate))
        if let pool = task.pool { require(pool, number) }
        guard tasks[number].state == .pending else {
            if tasks[number].state != .cancelled { eventLog.noteEnd(number) }
            return
        }
        tasks.setState(.ready, number)
        if case .waiting(let wait) = task.state {
            tasks.backOff(number)
            turn.set(TaskTimer(number: number, kind: .backOff), after: wait)
        } else if run.isRunning {
            start(number, &turn)
        }
    }

    /// Takes a condition back that was fulfilled beforehand: it finishes when the run begins, and its end is recorded.
    private mutating func takeBackCondition(_ number: Int32, _ turn: inout WorkflowTurn) {
        guard rare.fulfilments[number] != nil, tasks[number].attempt.number > 0 || isQueued(number) else {
            return
        }
        clear(number, .reset, &turn)
    }

    var isUntouched: Bool {
        tasks.all.allSatisfy { number in
            let node = tasks[number]
            if node.traits.contains(.condition), rare.fulfilments[number] != nil { return true }
            // A queued task was started.
            return node.attempt.number == 0 && !node.isBusy && [.pending, .ready].contains(node.state)
        }
    }

    /// Stops recording; ends that were being recorded count as they are.
    mutating func endJournal(_ turn: inout WorkflowTurn) {
        guard let commits = journaling?.commits else { return }
        turn.releaseAfterUnlock(commits.isEmpty ? nil : commits)
        // First: tasks that begin by these ends must not be recorded any more.
        journaling = nil
        for number in tasks.all { tasks.remove(.durable, number) }
        for (number, commit) in commits.sorted(by: { $0.key < $1.key }) { take(commit, of: number, &turn) }
    }
}
