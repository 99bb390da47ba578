import SteplineSupport

extension WorkflowState {
    /// The next thing to be done outside the lock; what the machine does itself is done on the way.
    mutating func nextDue(for thread: @autoclosure () -> ObjectIdentifier) -> Due? {
        if !tables.telling.isEmpty, let step = nextStep(on: thread()) { return .step(step) }
        while let next = due.popFirst() {
            switch next {
            case .tell(let number, let change):
                if beginTelling(number, change, thread()) { return next }
            case .release(let number, let attempt): release(number, attempt: attempt)
            case .ready(let number, let attempt, let starts):
                toldOff(number, attempt: attempt, starts: starts)
            case .settle:
                if let settled = settle() { return settled }
            case .complete:
                countOwn(.didFinish)
                guard tellsAll || isEnclosed else { break }
                if !tables.telling.isEmpty, hasChangesLeft(toOthersThan: thread()) {
                    tables.heldCompletions += 1
                    break
                }
                tables.completionsTold += 1
                return .tellComplete
            case .tellComplete:
                tables.completionsTold += 1
                return next
            default: return next
            }
        }
        return nil
    }

    /// Lets a thread tell of a task, unless another is in the middle of that, which then goes on with this.
    private mutating func beginTelling(_ number: Int32, _ change: TaskChange, _ thread: ObjectIdentifier)
        -> Bool
    {
        guard let telling = tables.telling[number] else {
            tables.telling[number] = Telling(thread: thread)
            return true
        }
        if telling.thread == thread {
            guard !telling.followUps.isEmpty else {
                tables.telling[number]?.depth += 1
                return true
            }
            // What others have left comes first.
            tables.telling[number]?.followUps = []
            due.prepend((telling.followUps + [change]).map { .tell(number, $0) })
            return false
        }
        tables.telling[number]?.followUps.append(change)
        return false
    }

    /// A change has been told.
    mutating func hasTold(_ number: Int32) {
        guard let telling = tables.telling[number] else { return }
        guard telling.depth == 1 else {
            tables.telling[number]?.depth -= 1
            return
        }
        tables.telling[number] = nil
        if !telling.followUps.isEmpty {
            due.prepend(telling.followUps.map { .tell(number, $0) })
        } else if tables.heldCompletions > 0, !hasChangesLeft() {
            due.prepend(Array(repeating: .tellComplete, count: tables.heldCompletions))
            tables.heldCompletions = 0
        }
        if tables.telling.isEmpty { settleIfIdle() }
    }

    /// Completion has been told.
    mutating func hasToldCompletion() {
        tables.completionsTold -= 1
        settleIfIdle()
    }

    /// Whether changes of tasks are still to be told by a thread that is in the middle of an earlier one.
    private func hasChangesLeft(toOthersThan thread: ObjectIdentifier? = nil) -> Bool {
        tables.telling.contains { $0.value.thread != thread && !$0.value.followUps.isEmpty }
    }

    /// Nothing happens by itself any more, unless something has begun since.
    private mutating func settle() -> Due? {
        hasSettleDue = false
        guard busy == 0, tables.telling.isEmpty, tables.completionsTold == 0 else { return nil }
        isSettled = true
        isRunning = false
        let outcome = outcome
        countOwn(.settled(outcome))
        disarm(.deadline, of: -1)
        if options.callbackQueue == nil { tables.cancelMarks = [:] }
        let runners = tables.runners
        tables.runners = []
        let alive = keepAlive
        keepAlive = nil
        return .settled(runners.isEmpty ? nil : report(), runners, alive)
    }

    /// How the run has ended, or would if it ended now.
    var outcome: RunReport.Outcome {
        if counts[.failed] > 0 { return .failed }
        if counts[.cancelled] > tables.notNeeded {
            return tables.isOverdue ? .deadlineExceeded : .cancelled(reason: cancelReason)
        }
        return isComplete ? .finished : .incomplete
    }

    func report() -> RunReport {
        var failures: [RunReport.Failure] = []
        var blocked: [RunReport.TaskName] = []
        var idle: [RunReport.TaskName] = []
        if outcome != .finished {
            for index in 0..<nodes.count {
                let node = nodes[index]
                switch node.state {
                case .failed:
                    failures.append(
                        RunReport.Failure(
                            task: taskName(index), attempt: Int(node.attempt),
                            error: (parts[index].value as? TaskFailure)?.error,
                            date: date(parts[index].endedAt)
                        )
                    )
                case .pending where node.flags.contains(.blocked): blocked.append(taskName(index))
                case .ready: idle.append(taskName(index))
                default: break
                }
            }
            failures.sort { $0.date < $1.date }
        }
        return RunReport(
            outcome: outcome, failures: failures, blocked: blocked, notStarted: idle,
            graph: tables.log == nil ? nil : graph(options.path)
        )
    }

    func taskName(_ index: Int) -> RunReport.TaskName {
        RunReport.TaskName(id: TaskID(around: options.path, position: index + 1), name: name(index))
    }

    // MARK: The whole workflow

    /// Starts every Ready task.
    mutating func start() {
        isRunning = true
        tables.isOverdue = false
        cancelReason = nil
        if nodes.isEmpty { due.append(.complete) }
        startAllReady()
        armWorkflowDeadline()
        settleNow()
    }

    /// Starts what is Ready, but lets waits before another attempt run on.
    mutating func startAllReady() {
        for index in 0..<nodes.count where nodes[index].state == .ready {
            if !nodes[index].flags.contains(.backoff) { startReady(index) }
        }
    }

    mutating func armWorkflowDeadline() {
        if busy > 0, let deadline = options.deadline { arm(.deadline, of: -1, after: deadline) }
    }

    /// Says that the workflow has settled, if it has, also if nothing has happened since the last time.
    mutating func settleNow() {
        guard busy == 0, !hasSettleDue else { return }
        hasSettleDue = true
        due.append(.settle)
    }
}
