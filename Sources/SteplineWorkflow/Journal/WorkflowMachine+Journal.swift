import SteplineEngine
import SteplineSupport

import struct Foundation.Date

/// What a workflow has to know whose tasks are kept.
struct Journaling: Sendable {
    /// An end that is being kept.
    struct Commit: Sendable {
        let attempt: UInt32
        var end: AttemptEnd
        let source: Attempt.Source
        /// Whether the body is over.
        var isOver = false
        /// Whether the body has told its own end, this one or another.
        var isReported: Bool

        init(attempt: UInt32, end: AttemptEnd, source: Attempt.Source) {
            self.attempt = attempt
            self.end = end
            self.source = source
            isReported = source == .body
        }
    }

    /// Whether bodies wait until their begin is kept.
    let isCareful: Bool
    /// Whether ends are ends before they are kept.
    let isRelaxed: Bool
    /// Whether other processes run the bodies.
    let isElsewhere: Bool
    /// Whether each attempt is asked for by itself, and nothing follows from its end.
    var isAlone = false
    /// Where that is so: the tasks that stand as they were told to, for others to look at.
    var placed: Set<Int32> = []
    var commits: [Int32: Commit] = [:]
    /// How many numbers of attempts are used up of tasks whose last body is still live under its own.
    var skipped: [Int32: UInt32] = [:]
    /// Conditions whose next attempt goes on with the wait of an earlier process, and when that began.
    var awaiting: [Int32: Date] = [:]
}

/// An attempt's end is kept before it is an end: until then the task is Executing for everybody.
extension WorkflowMachine {
    // MARK: Ends

    /// Hands an end to the journal if it is the attempt's first; false if the end is to be taken as usual.
    mutating func commit(
        _ number: Int32, _ attempt: UInt32, _ end: AttemptEnd, by source: Attempt.Source,
        _ turn: inout WorkflowTurn
    ) -> Bool {
        let node = tasks[number]
        guard journaling != nil, node.attempt.isRunning(attempt) else { return false }
        if journaling?.commits[number]?.attempt == attempt {
            if source == .body { journaling?.commits[number]?.isReported = true }
            return true
        }
        if case .failed(let failure, let wait?) = end, journaling?.isAlone == false {
            record(.retries(failure.error, after: wait), number, &turn)
            return false
        }
        if journaling?.isRelaxed == true {
            recordEnd(end, number, isAwaited: false, mayBlock: false, &turn)
            return false
        }
        for kind in [AttemptTimer.timeout, .watchdog, .deadline] where node.traits.contains(.hasTerms) {
            turn.withdraw(TaskTimer(number: number, kind: kind))
        }
        let commit = Journaling.Commit(attempt: attempt, end: end, source: source)
        turn.letGo(of: journaling?.commits.updateValue(commit, forKey: number))
        var isOnWorker = false
        if source == .body, case .closure = tasks.work(number) { isOnWorker = true }
        recordEnd(end, number, isAwaited: true, mayBlock: isOnWorker, &turn)
        return true
    }

    private mutating func recordEnd(
        _ end: AttemptEnd, _ number: Int32, isAwaited: Bool, mayBlock: Bool, _ turn: inout WorkflowTurn
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

    /// The body of an attempt is over whose end is being kept; false if none is.
    mutating func isOverBeforeKept(_ job: TaskJob) -> Bool {
        guard journaling?.commits[job.number]?.attempt == job.attempt else { return false }
        journaling?.commits[job.number]?.isOver = true
        return true
    }

    /// Nothing happens inside a task any more: the body of its attempt is over, also if its end is still being kept.
    mutating func insideIsOver(_ number: Int32, _ attempt: UInt32, _ turn: inout WorkflowTurn) {
        if journaling?.commits[number]?.attempt == attempt {
            journaling?.commits[number]?.isReported = true
        }
        bodyReported(number, attempt, &turn)
    }

    /// Whether the task's attempt has an end that nobody knows of yet.
    func isBeingKept(_ number: Int32) -> Bool {
        guard let commit = journaling?.commits[number] else { return false }
        return commit.attempt == tasks[number].attempt.number
    }

    /// An end is kept, and becomes one; unless the attempt was called off meanwhile.
    mutating func wasKept(_ number: Int32, _ attempt: UInt32, _ turn: inout WorkflowTurn) {
        guard let commit = takeCommit(number, attempt, &turn) else { return }
        take(commit, of: number, &turn)
    }

    private mutating func take(_ commit: Journaling.Commit, of number: Int32, _ turn: inout WorkflowTurn) {
        endAtOnce(number, commit.attempt, commit.end, by: commit.source, &turn)
        if commit.isReported, commit.source != .body { bodyReported(number, commit.attempt, &turn) }
        guard commit.isOver else { return }
        afterBody(number, tasks.bodyReturned(number, commit.attempt, isOver: true), &turn)
    }

    /// An end can't be kept: the task has none.
    mutating func wasNotKept(_ number: Int32, _ attempt: UInt32, _ turn: inout WorkflowTurn) {
        guard let commit = takeCommit(number, attempt, &turn) else { return }
        // A newer attempt has nothing to do with the end of one that was called off.
        if tasks[number].attempt.isRunning(attempt) { cancel([number], .storeFailed, &turn) }
        if commit.isReported { bodyReported(number, attempt, &turn) }
        if commit.isOver { afterBody(number, tasks.bodyReturned(number, attempt, isOver: true), &turn) }
    }

    /// A result can't be kept: the attempt fails instead.
    mutating func cannotKeep(
        _ number: Int32, _ attempt: UInt32, _ failure: TaskFailure, _ turn: inout WorkflowTurn
    ) {
        guard var commit = takeCommit(number, attempt, &turn) else { return }
        commit.end = .failed(failure, retryAfter: nil)
        journaling?.commits[number] = commit
        record(.failed(failure.error), number, isAwaited: true, &turn)
    }

    /// Takes an end out that was being kept; what it holds is let go of after the lock, whatever becomes of it.
    private mutating func takeCommit(
        _ number: Int32, _ attempt: UInt32, _ turn: inout WorkflowTurn
    ) -> Journaling.Commit? {
        guard let commit = journaling?.commits[number], commit.attempt == attempt else { return nil }
        journaling?.commits[number] = nil
        turn.letGo(of: commit)
        return commit
    }

    // MARK: Everything else

    /// Hands something to the journal.
    mutating func record(
        _ kind: JournalEntry.Kind, _ number: Int32, isAwaited: Bool = false, mayBlock: Bool = false,
        _ turn: inout WorkflowTurn
    ) {
        let attempt = tasks[number].attempt
        turn.order(
            .record(
                JournalEntry(
                    kind, at: turn.now, number, attempt, skipped: journaling?.skipped[number] ?? 0,
                    isAwaited: isAwaited,
                    mayBlock: mayBlock)))
    }

    /// Uses up the number of an attempt that never began.
    ///
    /// The store knows the end of an attempt by its number, also of one that was called off beforehand.
    mutating func skipAttempt(_ number: Int32) {
        if tasks[number].attempt.hasBody {
            journaling?.skipped[number, default: 0] += 1
        } else {
            tasks.skipAttempt(number)
        }
    }

    /// The next attempt of a task begins behind all numbers that are used up.
    mutating func skipUsedNumbers(_ number: Int32) {
        guard let count = journaling?.skipped.removeValue(forKey: number) else { return }
        for _ in 0..<count { tasks.skipAttempt(number) }
    }

    /// The begin of an attempt is kept; if bodies wait for that, it returns nil, and the body begins later.
    mutating func recordBegin(_ job: TaskJob, _ turn: inout WorkflowTurn) -> TaskJob? {
        let attempt = tasks[job.number].attempt
        // Only bodies count as interrupted: what runs inside has begins of its own.
        if job.traits.contains(.subworkflow) { return job }
        guard journaling?.isCareful == true else {
            record(.began, job.number, &turn)
            return job
        }
        let entry = WorkflowEffect.record(JournalEntry(.began, at: turn.now, job.number, attempt, job: job))
        if isBeginTold(job.number) { turn.tell(entry) } else { turn.order(entry) }
        return nil
    }

    /// Records that a condition with a bounded time waits; returns how long it has waited in earlier processes.
    mutating func recordWait(_ number: Int32, _ turn: inout WorkflowTurn) -> Duration {
        let date = journaling?.awaiting.removeValue(forKey: number)
        record(.awaits(since: date), number, &turn)
        guard let date else { return .zero }
        return max(.zero, turn.now - story.instant(date.timeIntervalSinceReferenceDate))
    }

    // MARK: Coming back

    /// Keeps all tasks from now on, which nobody has started, and puts them where they stood.
    mutating func restore(
        _ restored: [RestoredTask], isCareful: Bool, isRelaxed: Bool, isElsewhere: Bool,
        _ turn: inout WorkflowTurn
    ) {
        journaling = Journaling(isCareful: isCareful, isRelaxed: isRelaxed, isElsewhere: isElsewhere)
        for number in tasks.all {
            if tasks[number].traits.contains(.condition) { takeBackCondition(number, &turn) }
            tasks.insert(.durable, number)
        }
        restore(restored, &turn)
        cancelWhatFailureEnds(&turn)
    }

    /// The process may have ended between a failure that ends all others and their ends.
    private mutating func cancelWhatFailureEnds(_ turn: inout WorkflowTurn) {
        guard options.onFailure == .cancelOthers,
            let failed = tasks.all.first(where: { tasks[$0].state == .failed && isFatal($0) })
        else { return }
        // The task around stands on its own: it isn't told of what has long happened.
        let wasEnclosed = isEnclosed
        isEnclosed = false
        cancelOthers(than: failed, &turn)
        isEnclosed = wasEnclosed
    }

    /// Puts tasks where they stood, which nobody has started.
    mutating func restore(_ restored: [RestoredTask], _ turn: inout WorkflowTurn) {
        var waits: [(Int32, Duration)] = []
        for task in restored {
            let number = Int32(task.number)
            let ended = story.instant(task.ended.timeIntervalSinceReferenceDate)
            tasks.restore(task, endedAt: ended)
            if let pool = task.pool { require(pool, number) }
            switch task.state {
            case .waiting(let wait): waits.append((number, wait))
            case .awaiting(let date): journaling?.awaiting[number] = date
            case .open, .finished, .failed, .cancelled: break
            }
        }
        for number in tasks.all {
            reassess(number, &turn)
            guard waitsForNothing(number) else { continue }
            if isUnneeded(number) {
                isNotNeeded(number, from: .pending, &turn)
            } else {
                tasks.setState(.ready, number)
            }
        }
        for (number, wait) in waits where tasks[number].state == .ready {
            tasks.backOff(number)
            turn.set(TaskTimer(number: number, kind: .backOff), after: wait)
        }
    }

    /// A condition that was fulfilled beforehand has its turn when the run begins, so that its end is kept.
    private mutating func takeBackCondition(_ number: Int32, _ turn: inout WorkflowTurn) {
        guard terms.fulfilments[number] != nil, tasks[number].attempt.number > 0 || isQueued(number) else {
            return
        }
        clear(number, .reset, &turn)
    }

    var isUntouched: Bool {
        tasks.all.allSatisfy { number in
            let node = tasks[number]
            if node.traits.contains(.condition), terms.fulfilments[number] != nil { return true }
            // Who stands in a line was started.
            return node.attempt.number == 0 && !node.isBusy && [.pending, .ready].contains(node.state)
        }
    }

    /// Nothing is kept any more; ends that are on their way are taken as they are.
    mutating func endJournal(_ turn: inout WorkflowTurn) {
        guard let commits = journaling?.commits else { return }
        turn.letGo(of: commits.isEmpty ? nil : commits)
        journaling = nil
        for number in tasks.all { tasks.remove(.durable, number) }
        for (number, commit) in commits.sorted(by: { $0.key < $1.key }) { take(commit, of: number, &turn) }
    }
}
