import SteplineSupport

extension ManagerState {
    /// Takes a new record on; it ends at once if the manager takes no more.
    mutating func add(_ record: TaskRecord, starts: Bool) {
        record.identifier = takeNumber()
        list(record)
        unmoved += 1
        record.since = now
        if isShuttingDown {
            return end(record, .cancelled, TaskManagerError(.shutDown, of: record))
        }
        if let maximumWaiting, notBegun > maximumWaiting {
            return end(record, .cancelled, TaskManagerError(.tooManyTasks, of: record))
        }
        if starts { start(record) }
    }

    /// Begins with a record that was added not to start; ends its delay at once if it is in one.
    mutating func start(_ record: TaskRecord, byUser: Bool = false) {
        switch record.phase {
        case .notStarted:
            unmoved -= 1
            tell(.added, record)
            if let deadline = record.deadline {
                effects.timers.append((.deadline(record), max(deadline, .zero)))
            }
            if record.delay > .zero {
                move(record, to: .delayed)
                arm(record, after: record.delay)
            } else {
                comeUp(record)
            }
        case .delayed where byUser:
            disarm(record)
            comeUp(record)
        default:
            break
        }
    }

    /// Its delay is over: to the interceptors, or straight to those that are ready.
    mutating func comeUp(_ record: TaskRecord) {
        lastOrder += 1
        record.attemptMark = lastOrder
        if record.skipsInterception || interceptorNames.isEmpty {
            enqueue(record)
        } else {
            move(record, to: .awaitingTurn)
            interception.append(record)
        }
    }

    /// The record's time has come: the end of a delay, a back-off or an attempt's limit.
    mutating func timerFired(_ record: TaskRecord, number: Int) {
        guard record.timer.number == number else { return }
        record.timer.subscription = nil
        switch record.phase {
        case .delayed: comeUp(record)
        case .backingOff: goAgain(record)
        case .live:
            var error = TaskManagerError(.timedOut, of: record, attempt: record.attempt)
            error.limit = .attempt
            error.duration = record.timeout
            end(record, .timedOut, error)
        default: break
        }
    }

    mutating func deadlinePassed(_ record: TaskRecord) {
        guard record.outcome == nil else { return }
        var error = TaskManagerError(.timedOut, of: record, attempt: record.attempt)
        error.limit = .total
        error.duration = record.deadline
        end(record, .timedOut, error)
    }

    // MARK: Beginning

    mutating func enqueue(_ record: TaskRecord) {
        if record.attempt == 0 {
            lastOrder += 1
            record.order = lastOrder
        }
        move(record, to: .queued)
        tell(.queued, record)
        if record.exemptReactor != nil { exempt.insert(record) } else { ready.insert(record) }
        beginReady()
    }

    /// Begins what may begin.
    mutating func beginReady() {
        while live < maximumConcurrency ?? .max {
            if let record = exempt.popFirst() {
                begin(record)
            } else if !isPaused, suspensions == 0, let record = ready.popFirst() {
                if takeLane(record) { begin(record) }
            } else {
                return
            }
        }
    }

    private mutating func begin(_ record: TaskRecord) {
        if record.attempt == 0 { notBegun -= 1 }
        record.attempt += 1
        live += 1
        move(record, to: .live)
        tell(.began, record)
        record.checkOut(for: .body)
        begun.append((record, record.attempt))
    }

    // MARK: Slots

    /// A body waits for another task of this manager: its slot is free meanwhile.
    mutating func lend(_ record: TaskRecord, attempt: Int) {
        guard record.attempt == attempt, isBodyCounted(record) else { return }
        record.lends += 1
        if record.lends == 1 {
            live -= 1
            beginReady()
        }
    }

    mutating func takeBack(_ record: TaskRecord, attempt: Int) {
        guard record.attempt == attempt, record.lends > 0 else { return }
        record.lends -= 1
        if record.lends == 0 { live += 1 }
    }

    private func isBodyCounted(_ record: TaskRecord) -> Bool {
        if case .live = record.phase { return true }
        return stopped[ObjectIdentifier(record)] != nil
    }

    mutating func freeSlot(of record: TaskRecord) {
        if record.lends == 0 { live -= 1 }
        record.lends = 0
        leaveLane(record)
    }

    mutating func setPriority(_ record: TaskRecord, _ priority: TaskManager.Priority) {
        guard record.outcome == nil, record.priority != priority else { return }
        guard case .queued = record.phase else { return record.priority = priority }
        dequeue(record)
        record.priority = priority
        if record.exemptReactor != nil { exempt.insert(record) } else { ready.insert(record) }
        beginReady()
    }
}
