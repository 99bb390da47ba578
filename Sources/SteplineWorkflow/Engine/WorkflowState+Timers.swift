import SteplineSupport

extension WorkflowState {
    mutating func arm(_ kind: TaskTimer.Kind, of index: Int, after delay: Duration) {
        let timer = TaskTimer(index: Int32(truncatingIfNeeded: index), kind: kind)
        disarm(timer)
        tables.lastTimer += 1
        tables.timers[timer] = ArmedTimer(id: tables.lastTimer)
        due.append(.arm(timer, id: tables.lastTimer, after: delay))
    }

    mutating func disarm(_ kind: TaskTimer.Kind, of index: Int) {
        disarm(TaskTimer(index: Int32(truncatingIfNeeded: index), kind: kind))
    }

    private mutating func disarm(_ timer: TaskTimer) {
        guard !tables.timers.isEmpty, let armed = tables.timers.removeValue(forKey: timer) else { return }
        if let subscription = armed.subscription { due.append(.call { subscription.end() }) }
    }

    /// An attempt of a task with options has begun.
    mutating func armForAttempt(_ index: Int) {
        guard let options = tables.options[Int32(truncatingIfNeeded: index)] else { return }
        if let timeout = options.timeout { arm(.attempt, of: index, after: timeout) }
        if let deadline = options.deadline {
            let timer = TaskTimer(index: Int32(truncatingIfNeeded: index), kind: .deadline)
            if tables.timers[timer] == nil { arm(.deadline, of: index, after: deadline) }
        }
        if let watchdog = options.watchdog { arm(.watchdog, of: index, after: watchdog) }
    }

    mutating func armAbandon(_ index: Int) {
        let own = tables.options[Int32(truncatingIfNeeded: index)]?.grace
        arm(.abandon, of: index, after: own ?? options.grace)
    }

    /// The clock has set a timer; false if it isn't wanted any more.
    mutating func hasArmed(_ timer: TaskTimer, id: UInt64, _ subscription: Subscription) -> Bool {
        guard tables.timers[timer]?.id == id else { return false }
        tables.timers[timer]?.subscription = subscription
        return true
    }

    /// A timer has gone off.
    mutating func timerFired(_ timer: TaskTimer, id: UInt64, at time: Int64) -> TimerEffect {
        guard tables.timers[timer]?.id == id else { return .nothing }
        tables.timers[timer] = nil
        guard timer.index >= 0 else {
            tables.isOverdue = true
            sendToAll(.cancel, because: Self.deadlineReason)
            return .nothing
        }
        let index = Int(timer.index)
        switch timer.kind {
        case .attempt where nodes[index].flags.contains(.backoff):
            nodes[index].flags.remove(.backoff)
            if isHeard { recordWait(index, for: nodes[index].live == 0 ? nil : .lastBody) }
            if nodes[index].live == 0 { push(index) } else { nodes[index].flags.insert(.startDue) }
            recount(index)
        case .attempt:
            return .timeOut(timer.index, attempt: nodes[index].attempt)
        case .deadline:
            return .deadline(timer.index)
        case .abandon where nodes[index].live != 0:
            count(.abandoned, index, attempt: nodes[index].live)
            bodyEnded(index)
        case .watchdog where nodes[index].state == .executing:
            stalled(index, at: time)
        case .abandon, .watchdog:
            break
        }
        return .nothing
    }

    static let deadlineReason = "the workflow's deadline has passed"

    private mutating func stalled(_ index: Int, at time: Int64) {
        guard let first = tables.options[Int32(truncatingIfNeeded: index)]?.watchdog else { return }
        let attempt = nodes[index].attempt
        let before = tables.stalls[Int32(truncatingIfNeeded: index)]
        let waited = before.map { $0.attempt == attempt ? $0.waited * 2 : first } ?? first
        tables.stalls[Int32(truncatingIfNeeded: index)] = (attempt, waited)
        count(.stalled(waited), index)
        arm(.watchdog, of: index, after: waited)
    }

    /// A task's time is over: the attempt fails, or the wait for the next one ends with the last failure.
    mutating func timeOut(
        _ number: Int32, attempt: UInt32, _ error: any Error, retryAfter: Duration?, at time: Int64
    ) {
        let index = Int(number)
        guard nodes[index].state == .executing, nodes[index].attempt == attempt else { return }
        stopBody(index)
        attemptEnded(
            number, attempt: attempt, .failed(TaskFailure(error), retryAfter: retryAfter), at: time,
            isStopped: true)
        recount(index)
    }

    /// A task's deadline has passed.
    mutating func deadlinePassed(_ number: Int32, _ error: any Error, at time: Int64) {
        let index = Int(number)
        if nodes[index].state == .executing {
            timeOut(number, attempt: nodes[index].attempt, error, retryAfter: nil, at: time)
        } else if nodes[index].flags.contains(.backoff) {
            disarm(.attempt, of: index)
            nodes[index].flags.remove(.backoff)
            fail(index, TaskFailure(error), at: time, from: .ready)
            recount(index)
        }
    }
}

/// What the driver must ask the user's code about before a timer's work can be done.
enum TimerEffect {
    case nothing
    case timeOut(Int32, attempt: UInt32)
    case deadline(Int32)
}
