import SteplineEngine
import SteplineSupport

extension ManagerMachine {
    /// Adds a new record; ends it at once if the manager accepts no tasks.
    mutating func add(_ record: TaskRecord, starts: Bool, _ turn: inout ManagerTurn) {
        register.add(record)
        // Not started yet: such a record doesn't delay `waitUntilIdle`.
        register.setUnmoved(record, true)
        record.since = turn.now
        record.added = turn.now
        // The watch stops when the manager is idle, so each addition may restart it.
        if let patience = watchdog.rouse() { turn.set(.watchdog, after: patience) }
        if admission != .open { return end(record, .cancelled(.shutDown), &turn) }
        // The new record is counted already.
        if let most = rules.maximumWaiting, register.notBegun > most {
            return end(record, .failure(record.error(.tooManyTasks)), &turn)
        }
        if starts { start(record, &turn) }
    }

    /// Starts a record that was added without starting; a start by hand also ends a delay.
    mutating func start(_ record: TaskRecord, byHand: Bool = false, _ turn: inout ManagerTurn) {
        switch record.stage {
        case .notStarted:
            register.setUnmoved(record, false)
            tell(.added, of: record, &turn)
            // Set at the start: the deadline includes the delay, holds and all attempts.
            if let deadline = record.terms.deadline { turn.set(.deadline(record), after: deadline) }
            if record.terms.delay > .zero {
                move(record, to: .delayed, &turn)
                turn.set(.delay(record), after: record.terms.delay)
            } else {
                comeUp(record, &turn)
            }
        // Only a handle's `start()` ends a delay; the internal call doesn't.
        case .delayed where byHand:
            turn.withdraw(.delay(record))
            comeUp(record, &turn)
        default:
            break
        }
    }

    /// Handles the end of a delay or a back-off.
    mutating func delayIsOver(_ record: TaskRecord, _ turn: inout ManagerTurn) {
        switch record.stage {
        case .delayed: comeUp(record, &turn)
        case .backingOff: goAgain(record, &turn)
        default: break
        }
    }

    /// Sends a record to the interceptors, or to the ready tasks if there are none.
    private mutating func comeUp(_ record: TaskRecord, _ turn: inout ManagerTurn) {
        // After an interceptor's delay this clears the mark of the interception: the attempt begins later.
        record.attemptMark = 0
        if record.skipsInterception || rules.interceptors.isEmpty {
            enqueue(record, &turn)
        } else {
            awaitTurn(record, &turn)
        }
    }

    /// Appends a record to the queue for the interceptors.
    mutating func awaitTurn(_ record: TaskRecord, _ turn: inout ManagerTurn) {
        move(record, to: .awaitingTurn, &turn)
        interception.append(record)
    }

    // MARK: Beginning

    /// Makes a record ready: it now waits only for earlier records and a slot.
    mutating func enqueue(_ record: TaskRecord, _ turn: inout ManagerTurn) {
        // A requeued record keeps the order in which it joined its run.
        if record.attempt.number == 0 { record.order = nextMoment() }
        // The previous body is over, so the attempt is queued at once and the result needs no check.
        _ = record.attempt.enqueue()
        move(record, to: .ready, &turn)
        tell(.queued, of: record, &turn)
        ready.add(record)
        // After the release of the manager a limit of zero can never be raised.
        endIfShut(record, &turn)
        beginReady(&turn)
    }

    /// Begins ready records while slots are free.
    mutating func beginReady(_ turn: inout ManagerTurn) {
        while let record = ready.takeNext() {
            let isFirst = record.attempt.number == 0
            // The record was stopped while it was ready: give its slot back.
            guard let attempt = record.attempt.begin() else {
                ready.leave(record)
                continue
            }
            // Only the first attempt counts: `maximumWaiting` limits the tasks that haven't begun.
            if isFirst { register.hasBegun() }
            markBegin(of: record)
            move(record, to: .executing, &turn)
            tell(.began, of: record, &turn)
            // The body keeps its own reference: an end before its return releases the task of the record.
            record.checkOut(for: .body)
            // The code starts later, on a runner. Until then the record can still end.
            begun.append((record, attempt))
        }
    }

    /// Marks the begin of an attempt, unless its interception has marked it; reactors compare it with their last run.
    mutating func markBegin(of record: TaskRecord) {
        if record.attemptMark == 0 { record.attemptMark = nextMoment() }
    }

    /// Sets the time limit of an attempt whose code begins.
    mutating func limit(
        _ record: TaskRecord, attempt: UInt32, to limit: Duration, _ turn: inout ManagerTurn
    ) {
        // The attempt may have ended before its code began.
        guard record.attempt.isRunning(attempt) else { return }
        // Stored for the error: the timer carries no duration.
        record.timeout = limit
        turn.set(.timeout(record), after: limit)
    }

    // MARK: Slots

    /// Frees the slot of a body while the body waits for another task of this manager.
    mutating func lend(_ record: TaskRecord, attempt: UInt32, _ turn: inout ManagerTurn) {
        // A body that was given up after its grace period occupies no slot that it could lend.
        guard record.attempt.number == attempt, record.attempt.hasBody else { return }
        ready.lend(record)
        beginReady(&turn)
    }

    mutating func takeBack(_ record: TaskRecord, attempt: UInt32) {
        // A wait of an earlier attempt must not change the slot count of the current one.
        guard record.attempt.number == attempt else { return }
        ready.takeBack(record)
    }

    mutating func setPriority(_ record: TaskRecord, _ priority: Priority, _ turn: inout ManagerTurn) {
        guard record.stage.end == nil, record.priority != priority else { return }
        // Only a ready record is in a line sorted by priority.
        guard case .ready = record.stage else { return record.priority = priority }
        // Remove with the old priority: it decides in which line the record is found.
        ready.remove(record)
        record.priority = priority
        ready.add(record)
    }

    mutating func setLimit(_ limit: Int?, _ turn: inout ManagerTurn) {
        // A lower limit stops no body: `live` may exceed it until enough bodies end.
        ready.limit = limit.map { max($0, 0) }
        beginReady(&turn)
    }
}
