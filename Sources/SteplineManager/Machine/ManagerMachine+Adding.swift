import SteplineEngine
import SteplineSupport

extension ManagerMachine {
    /// Takes a new record on; it ends at once if the manager takes no more.
    mutating func add(_ record: TaskRecord, starts: Bool, _ turn: inout ManagerTurn) {
        register.add(record)
        register.setUnmoved(record, true)
        record.since = turn.now
        if let patience = watchdog.rouse() { turn.set(.watchdog, after: patience) }
        if door != .open { return end(record, .cancelled(.shutDown), &turn) }
        if let most = rules.maximumWaiting, register.notBegun > most {
            return end(record, .failure(record.error(.tooManyTasks)), &turn)
        }
        if starts { start(record, &turn) }
    }

    /// Begins with a record that was added not to start; somebody who asks for it also ends its delay.
    mutating func start(_ record: TaskRecord, byHand: Bool = false, _ turn: inout ManagerTurn) {
        switch record.stage {
        case .notStarted:
            register.setUnmoved(record, false)
            tell(.added, of: record, &turn)
            if let deadline = record.terms.deadline { turn.set(.deadline(record), after: deadline) }
            if record.terms.delay > .zero {
                move(record, to: .delayed, &turn)
                turn.set(.delay(record), after: record.terms.delay)
            } else {
                comeUp(record, &turn)
            }
        case .delayed where byHand:
            turn.withdraw(.delay(record))
            comeUp(record, &turn)
        default:
            break
        }
    }

    /// The end of a delay or a back-off.
    mutating func delayIsOver(_ record: TaskRecord, _ turn: inout ManagerTurn) {
        switch record.stage {
        case .delayed: comeUp(record, &turn)
        case .backingOff: goAgain(record, &turn)
        default: break
        }
    }

    /// Its delay is over: to the interceptors, or straight to those that are ready.
    private mutating func comeUp(_ record: TaskRecord, _ turn: inout ManagerTurn) {
        record.attemptMark = nextMoment()
        if record.skipsInterception || rules.interceptors.isEmpty {
            enqueue(record, &turn)
        } else {
            awaitTurn(record, &turn)
        }
    }

    /// Puts a record behind those that wait for the interceptors.
    mutating func awaitTurn(_ record: TaskRecord, _ turn: inout ManagerTurn) {
        move(record, to: .awaitingTurn, &turn)
        interception.append(record)
    }

    // MARK: Beginning

    /// Nothing holds a record back any more but those before it.
    mutating func enqueue(_ record: TaskRecord, _ turn: inout ManagerTurn) {
        if record.attempt.number == 0 { record.order = nextMoment() }
        _ = record.attempt.enqueue()
        move(record, to: .ready, &turn)
        tell(.queued, of: record, &turn)
        ready.add(record)
        endIfShut(record, &turn)
        beginReady(&turn)
    }

    /// Begins what may begin.
    mutating func beginReady(_ turn: inout ManagerTurn) {
        while let record = ready.takeNext() {
            let isFirst = record.attempt.number == 0
            guard let attempt = record.attempt.begin() else {
                ready.leave(record)
                continue
            }
            if isFirst { register.hasBegun() }
            move(record, to: .executing, &turn)
            tell(.began, of: record, &turn)
            record.checkOut(for: .body)
            begun.append((record, attempt))
        }
    }

    /// The code of an attempt begins, and its time is limited.
    mutating func limit(
        _ record: TaskRecord, attempt: UInt32, to limit: Duration, _ turn: inout ManagerTurn
    ) {
        guard record.attempt.isRunning(attempt) else { return }
        record.timeout = limit
        turn.set(.timeout(record), after: limit)
    }

    // MARK: Slots

    /// A body waits for another task of this manager: its slot is free meanwhile.
    mutating func lend(_ record: TaskRecord, attempt: UInt32, _ turn: inout ManagerTurn) {
        guard record.attempt.number == attempt, record.attempt.hasBody else { return }
        ready.lend(record)
        beginReady(&turn)
    }

    mutating func takeBack(_ record: TaskRecord, attempt: UInt32) {
        guard record.attempt.number == attempt else { return }
        ready.takeBack(record)
    }

    mutating func setPriority(_ record: TaskRecord, _ priority: Priority, _ turn: inout ManagerTurn) {
        guard record.stage.end == nil, record.priority != priority else { return }
        guard case .ready = record.stage else { return record.priority = priority }
        ready.remove(record)
        record.priority = priority
        ready.add(record)
    }

    mutating func setLimit(_ limit: Int?, _ turn: inout ManagerTurn) {
        ready.limit = limit.map { max($0, 0) }
        beginReady(&turn)
    }
}
