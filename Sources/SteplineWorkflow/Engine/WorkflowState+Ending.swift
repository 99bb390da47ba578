import SteplineSupport

/// How an attempt ended.
enum AttemptEnd {
    case finished((any Sendable)?)
    /// With the wait before the next attempt, if there is to be one.
    case failed((any Error)?, retryAfter: Duration?)
}

extension WorkflowState {
    /// The body of a task without an object has returned: the path that nearly every task goes.
    @inline(__always)
    mutating func bodyFinished(
        _ number: Int32, attempt: UInt32, _ value: consuming any Sendable, at time: Int64
    ) {
        let index = Int(number)
        let flags = nodes[index].flags
        guard nodes[index].state == .executing, nodes[index].attempt == attempt, !tellsAll,
            limit == .max,
            flags.isDisjoint(with: [.tells, .hasHooks, .hasOptions, .awaited, .hasPools, .waitsOutside])
        else {
            attemptEnded(number, attempt: attempt, .finished(value), at: time)
            bodyReturned(number, attempt: attempt)
            return
        }
        eventCount &+= 1
        nodes[index].live = 0
        liveBodies -= 1
        busy -= 1
        set(index, .finished)
        parts[index].value = value
        parts[index].endedAt = time
        nodes[index].flags.formUnion(.released)
        nodes[index].flags.remove(.counted)
        if isHeard { emit(.finished, index) }
        if !flags.contains(.hasDependents) { leafFinished() }
        releaseDependents(index)
        if busy == 0 { settleIfIdle() }
    }

    /// Takes the end of an attempt; false if the attempt isn't the one Executing.
    @discardableResult
    mutating func attemptEnded(
        _ number: Int32, attempt: UInt32, _ end: AttemptEnd, at time: Int64, isStopped: Bool = false
    ) -> Bool {
        let index = Int(number)
        guard index < nodes.count else { return false }
        guard nodes[index].state == .executing, nodes[index].attempt == attempt else {
            count(.endIgnored, index, attempt: attempt)
            if nodes[index].live == attempt { bodyIsDone(index) }
            if nodes[index].flags.contains(.unreported) { nodes[index].flags.remove(.unreported) }
            return false
        }
        disarm(.attempt, of: index)
        disarm(.watchdog, of: index)
        if !tables.stopHandlers.isEmpty { tables.stopHandlers[number] = nil }
        nodes[index].flags.remove(.waitsOutside)
        switch end {
        case .finished(let value): finish(index, value, at: time)
        case .failed(let error, retryAfter: nil): fail(index, error, at: time)
        case .failed(let error, retryAfter: let wait?): retryLater(index, error, after: wait, at: time)
        }
        if nodes[index].live == attempt, !isStopped { bodyIsDone(index) }
        recount(index)
        return true
    }

    private mutating func finish(_ index: Int, _ value: (any Sendable)?, at time: Int64) {
        set(index, .finished)
        parts[index].value = value
        parts[index].endedAt = time
        count(.finished, index)
        answerWaiters(index)
        let isTold = isTold(index)
        tell(index, .finished, from: .executing)
        if isLeaf(index) { leafFinished() }
        if isTold {
            due.append(.release(Int32(truncatingIfNeeded: index), attempt: nodes[index].attempt))
        } else {
            release(index)
        }
    }

    mutating func fail(
        _ index: Int, _ error: (any Error)?, at time: Int64, from old: WorkflowTask.State = .executing
    ) {
        set(index, .failed)
        parts[index].value = TaskFailure(error)
        parts[index].endedAt = time
        count(.failed(errorText(error)), index)
        answerWaiters(index)
        let isTold = isTold(index)
        tell(index, .failed, from: old)
        if isEnclosed { due.append(.tellOutside(.failed(error))) }
        blockDependents(index)
        if isTold {
            due.append(.release(Int32(truncatingIfNeeded: index), attempt: nodes[index].attempt))
        } else {
            release(index)
        }
        if options.onFailure == .cancelOthers { cancelOthers(than: index) }
    }

    private mutating func retryLater(
        _ index: Int, _ error: (any Error)?, after wait: Duration, at time: Int64
    ) {
        set(index, .ready)
        tables.tries[Int32(truncatingIfNeeded: index), default: 0] += 1
        count(.attemptFailed(errorText(error), wait: wait), index)
        if isHeard { recordRetry(index, error) }
        tell(index, .attemptFailed, from: .executing)
        nodes[index].flags.insert(.backoff)
        arm(.attempt, of: index, after: wait)
    }

    mutating func leafFinished() {
        unfinishedLeaves -= 1
        if unfinishedLeaves == 0 { due.append(.complete) }
    }

    /// A task has finished or failed, and all who had to hear of it first have begun to.
    mutating func release(_ number: Int32, attempt: UInt32) {
        let index = Int(number)
        guard nodes[index].attempt == attempt else { return }
        release(index)
    }

    private mutating func release(_ index: Int) {
        let state = nodes[index].state
        guard state == .finished || state == .failed, !nodes[index].flags.contains(.released) else { return }
        nodes[index].flags.insert(.released)
        if state == .finished {
            releaseDependents(index)
        } else {
            releaseAllowing(index)
        }
    }

    @inline(__always)
    mutating func releaseDependents(_ index: Int) {
        var next = nodes[index].firstDependent
        while next >= 0 {
            let edge = edges[Int(next)]
            next = edge.next
            satisfy(Int(edge.dependent))
        }
    }

    /// One prerequisite less to wait for.
    @inline(__always)
    mutating func satisfy(_ dependent: Int) {
        nodes[dependent].missing -= 1
        guard nodes[dependent].missing == 0, nodes[dependent].state == .pending,
            !nodes[dependent].flags.contains(.readyDue)
        else { return }
        becomeReady(dependent, starts: true)
    }

    @inline(__always)
    mutating func becomeReady(_ index: Int, starts: Bool) {
        if nodes[index].flags.contains(.cleanup), starts, !isNeeded(index) { return isNotNeeded(index) }
        set(index, .ready)
        eventCount &+= 1
        if isHeard { emit(.ready, index) }
        if isTold(index) { tell(index, .ready, from: .pending) }
        guard starts else { return }
        if isHeard { recordWait(index, for: nodes[index].live == 0 ? nil : .lastBody) }
        if nodes[index].live == 0 {
            nodes[index].flags.insert(.counted)
            busy += 1
            if isSettled { wake() }
            push(index)
        } else {
            nodes[index].flags.insert(.startDue)
        }
    }

    // MARK: Bodies

    /// The call that began a body has returned on its thread.
    mutating func bodyReturned(_ number: Int32, attempt: UInt32) {
        let index = Int(number)
        guard nodes[index].live == attempt else { return }
        nodes[index].flags.insert(.hasReturned)
        let isDone = nodes[index].flags.contains(.bodyIsDone) || !nodes[index].flags.contains(.endsByCall)
        if isDone { bodyEnded(index) }
    }

    /// A live body has called its end, or was stopped before it returned.
    mutating func bodyIsDone(_ index: Int) {
        nodes[index].flags.insert(.bodyIsDone)
        if nodes[index].flags.contains(.hasReturned) { bodyEnded(index) }
    }

    /// No body of the task is live any more; what waited for that may begin.
    mutating func bodyEnded(_ index: Int) {
        nodes[index].live = 0
        liveBodies -= 1
        disarm(.abandon, of: index)
        if nodes[index].flags.contains(.holdsPlaces) { givePlacesBack(index) }
        if !tables.putOff.isEmpty { handOnPutOff() }
        if nodes[index].flags.contains(.startDue), nodes[index].state == .ready {
            if isHeard { recordWait(index) }
            push(index)
        }
        recount(index)
    }
}
