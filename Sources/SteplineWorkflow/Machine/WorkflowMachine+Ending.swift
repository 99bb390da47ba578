import SteplineEngine
import SteplineSupport

/// From the end of a body to what follows from it.
extension WorkflowMachine {
    /// Takes the end of an attempt; false if it isn't the one Executing.
    @inline(__always)
    @discardableResult
    mutating func end(
        _ number: Int32, _ attempt: UInt32, _ end: AttemptEnd, by source: Attempt.Source = .body,
        _ turn: inout WorkflowTurn
    ) -> Bool {
        let end = source == .body ? realEnd(number, attempt, end) : end
        if tasks[number].traits.contains(.durable), commit(number, attempt, end, by: source, &turn) {
            return true
        }
        return endAtOnce(number, attempt, end, by: source, &turn)
    }

    /// Takes the end of an attempt that need not be kept, or is.
    @discardableResult
    mutating func endAtOnce(
        _ number: Int32, _ attempt: UInt32, _ end: AttemptEnd, by source: Attempt.Source,
        _ turn: inout WorkflowTurn
    ) -> Bool {
        guard let step = tasks.end(number, attempt, end.outcome, by: source) else {
            if source == .body { endedLate(number, attempt, &turn) }
            return false
        }
        if tasks[number].traits.contains(.hasTerms) { withdrawTimers(number, &turn) }
        switch end {
        case .finished(let value): finish(number, value, &turn)
        case .failed(let failure, retryAfter: nil): fail(number, failure, from: .executing, &turn)
        case .failed(let failure, retryAfter: let wait?): retryLater(number, failure, after: wait, &turn)
        }
        if source == .outside {
            cancelInside(number, .timeIsOver, &turn)
            stopBody(number, attempt, &turn)
        } else if !terms.stopHandlers.isEmpty, let handlers = terms.stopHandlers.removeValue(forKey: number) {
            if !handlers.calls.isEmpty { turn.letGo(of: handlers) }
        }
        afterBody(number, step, &turn)
        if case .failed(_, retryAfter: _?) = end, step == .nothing { boundLastBody(number, &turn) }
        return true
    }

    private mutating func endedLate(_ number: Int32, _ attempt: UInt32, _ turn: inout WorkflowTurn) {
        story.countEvent()
        if story.isHeard { makeEvent(.endIgnored, number, attempt, turn.now) }
        bodyReported(number, attempt, &turn)
    }

    /// Somebody tells an end, while none can be taken, and doesn't say of which attempt.
    mutating func endedUnnamed(_ number: Int32, _ turn: inout WorkflowTurn) {
        count(.endIgnored, number, turn)
        guard let attempts = terms.unreported[number], let oldest = attempts.min() else { return }
        // Of several that may have told it nobody knows which has: no body is over by that.
        if attempts.count == 1 {
            bodyReported(number, oldest, &turn)
        } else {
            terms.hasReported(number, oldest)
        }
    }

    /// The body of an attempt whose outcome was decided without it has reported its end.
    mutating func bodyReported(_ number: Int32, _ attempt: UInt32, _ turn: inout WorkflowTurn) {
        terms.hasReported(number, attempt)
        afterBody(number, tasks.bodyReported(number, attempt), &turn)
    }

    /// Takes the result of a task that has neither terms nor somebody who listens.
    @inline(__always)
    mutating func finishPlain(
        _ number: Int32, _ attempt: UInt32, _ value: consuming any Sendable, _ turn: inout WorkflowTurn
    ) {
        _ = tasks.end(number, attempt, .success, by: .body)
        finish(number, value, &turn)
    }

    @inline(__always)
    private mutating func finish(
        _ number: Int32, _ value: consuming (any Sendable)?, _ turn: inout WorkflowTurn
    ) {
        let wasOpen = tasks[number].isLeaf
        tasks.finish(number, with: value, at: turn.now)
        count(.finished, number, turn)
        if story.isHeard { story.logEnd(number, .finished, at: turn.now) }
        wakeWaiters(number, &turn)
        guard isTold(number) else {
            if wasOpen, tasks.openLeaves == 0 { complete(&turn) }
            return releaseDependents(number, &turn)
        }
        tell(.finished, number, from: .executing, &turn)
        if wasOpen, tasks.openLeaves == 0 { complete(&turn) }
        follow(number, starts: true, &turn)
    }

    mutating func fail(
        _ number: Int32, _ failure: TaskFailure, from old: WorkflowTask.State, _ turn: inout WorkflowTurn
    ) {
        tasks.fail(number, with: failure, at: turn.now)
        count(.failed(failure.text), number, turn)
        if story.isHeard { story.logEnd(number, .failed, failure.error, at: turn.now) }
        wakeWaiters(number, &turn)
        tell(.failed, number, from: old, &turn)
        let isHeard = isEnclosed || options.onFailure == .cancelOthers
        let isFatal = isHeard && isFatal(number)
        if isEnclosed, isFatal { turn.tell(.tellOutside(.failed(failure.error))) }
        blockDependents(number, &turn)
        follow(number, starts: true, &turn)
        if options.onFailure == .cancelOthers, isFatal { cancelOthers(than: number, &turn) }
    }

    private mutating func retryLater(
        _ number: Int32, _ failure: TaskFailure, after wait: Duration, _ turn: inout WorkflowTurn
    ) {
        tasks.setState(.ready, number)
        terms.own[number]?.wait = wait
        count(.attemptFailed(failure.text, wait: wait), number, turn)
        if story.isHeard {
            story.logEnd(number, .retried, failure.error, at: turn.now)
            story.logWait(number, for: .backoff, at: turn.now)
        }
        tell(.attemptFailed, number, from: .executing, &turn)
    }

    // MARK: Dependents

    @inline(__always)
    mutating func releaseDependents(_ number: Int32, _ turn: inout WorkflowTurn) {
        var place = graph.firstDependent(of: number)
        while place >= 0 {
            let edge = graph.edge(at: place)
            place = edge.next
            satisfy(edge.dependent, &turn)
        }
    }

    /// The dependents that may run although this task has failed.
    mutating func releaseAllowing(_ number: Int32, _ turn: inout WorkflowTurn) {
        var place = graph.firstDependent(of: number)
        while place >= 0 {
            let edge = graph.edge(at: place)
            place = edge.next
            if edge.kind != .needs { satisfy(edge.dependent, &turn) }
        }
    }

    /// A task was cancelled: what cleans up after it waits for it no longer.
    mutating func releaseCleanups(_ number: Int32, _ turn: inout WorkflowTurn) {
        guard terms.hasCleanups else { return }
        var place = graph.firstDependent(of: number)
        while place >= 0 {
            let edge = graph.edge(at: place)
            place = edge.next
            if edge.kind == .guards { satisfy(edge.dependent, &turn) }
        }
    }

    /// One prerequisite less to wait for.
    @inline(__always)
    private mutating func satisfy(_ dependent: Int32, _ turn: inout WorkflowTurn) {
        guard tasks.satisfyOne(dependent) else { return }
        if tasks[dependent].facts.contains(.untold) {
            terms.startsWhenTold.insert(dependent)
        } else {
            becomeReady(dependent, starts: true, &turn)
        }
    }

    /// A task has failed for good: what can't run for that is told, and what allows it to be blocked may run.
    ///
    /// Stops where it has been before, so that all failures together pass over each task once.
    private mutating func blockDependents(_ number: Int32, _ turn: inout WorkflowTurn) {
        let cause = story.isRead ? [name(number)] : []
        var toVisit = [(number: number, isNews: false)]
        var cleanups: [Int32] = []
        while let (visited, isNews) = toVisit.popLast() {
            var place = graph.firstDependent(of: visited)
            while place >= 0 {
                let edge = graph.edge(at: place)
                place = edge.next
                let dependent = tasks[edge.dependent]
                guard dependent.state == .pending else { continue }
                switch edge.kind {
                case .guards: if isNews { cleanups.append(edge.dependent) }
                case .allowsFailure where visited == number: break
                case .allowsFailure:
                    unhinder(edge.dependent, &turn)
                    satisfy(edge.dependent, &turn)
                case .needs where dependent.hindrance == .failure: break
                case .needs:
                    tasks.setHindrance(.failure, edge.dependent)
                    let isNew = dependent.hindrance == .none
                    if isNew { count(.blocked(by: cause), edge.dependent, turn) }
                    wakeWaiters(edge.dependent, &turn)
                    toVisit.append((edge.dependent, isNew))
                }
            }
        }
        // Not before, as something else that one cleans up after may run by this failure.
        for cleanup in cleanups { satisfy(cleanup, &turn) }
    }

    /// A cancellation upstream has become a failure that is allowed: what could not run for that may run now.
    ///
    /// A cleanup that took it for over waits for it again.
    private mutating func unhinder(_ number: Int32, _ turn: inout WorkflowTurn) {
        var toVisit = [number]
        while let visited = toVisit.popLast() {
            guard tasks[visited].state == .pending, tasks[visited].hindrance != .none else { continue }
            // One that a failure keeps back by now is told so from there, with all that comes behind it.
            guard hindrance(of: visited) == .none else { continue }
            tasks.setHindrance(.none, visited)
            count(.unblocked, visited, turn)
            var place = graph.firstDependent(of: visited)
            while place >= 0 {
                let edge = graph.edge(at: place)
                place = edge.next
                if edge.kind != .guards {
                    toVisit.append(edge.dependent)
                } else if tasks[edge.dependent].state == .pending {
                    tasks.setMissing(tasks[edge.dependent].missing + 1, edge.dependent)
                }
            }
        }
    }
}
