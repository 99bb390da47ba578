import SteplineEngine

extension ManagerMachine {
    /// A record's turn with the interceptors begins.
    mutating func beginIntercepting(_ record: TaskRecord, _ turn: inout ManagerTurn) -> Work {
        move(record, to: .intercepting, &turn)
        record.checkOut(for: .interceptors)
        if !turn.isSet(.interception) { turn.set(.interception, after: rules.answerTimeout) }
        return .interception(
            record, attempt: record.attemptNumber + 1, heldCounts: holds.counts, round: interception.round)
    }

    /// All have answered, in order; false if the question was given up.
    mutating func intercepted(
        _ record: TaskRecord, _ answers: InterceptAnswers, round: Int, _ turn: inout ManagerTurn
    ) -> Bool {
        guard interception.close(record, in: round) else {
            letGo(record.takeBack(from: .interceptors), &turn)
            return false
        }
        let isOpen = record.stage.end == nil
        if isOpen { record.checkIn() }
        letGo(record.takeBack(from: .interceptors), &turn)
        if isOpen {
            tell(.intercepted, of: record, &turn)
            decide(on: record, answers, &turn)
        } else {
            turn.letGo(of: record)
        }
        letGoOfSettlements(&turn)
        return true
    }

    /// What has settled holds counts for the one that was asked about meanwhile, and for nobody after it.
    private mutating func letGoOfSettlements(_ turn: inout ManagerTurn) {
        let settlements = holds.takeSettlements()
        if !settlements.isEmpty { turn.letGo(of: settlements) }
    }

    private mutating func decide(
        on record: TaskRecord, _ answers: InterceptAnswers, _ turn: inout ManagerTurn
    ) {
        guard case .each(let answers) = answers else {
            for position in holds.positions { release(by: position, &turn) }
            return enqueue(record, &turn)
        }
        let verdict = Verdict(answers)
        switch verdict.decision {
        case .run:
            for position in verdict.releasers { release(by: position, &turn) }
            enqueue(record, &turn)
        case .fail(let error):
            end(record, .failure(error), tellsTask: false, &turn)
        case .discard(let position):
            let error = record.error(.discarded, actor: rules.interceptors[position])
            end(record, .failure(error), tellsTask: false, &turn)
        case .hold(let position, let limits):
            hold(record, by: position, limits, &turn)
        case .delay(let delay):
            record.skipsInterception = true
            move(record, to: .delayed, &turn)
            turn.set(.delay(record), after: delay)
        }
    }

    /// The clock looks whether the interceptor being asked has taken too long, also if the task has ended meanwhile.
    mutating func checkInterceptionAnswer(_ turn: inout ManagerTurn) {
        guard let record = interception.current else { return }
        let rest = interception.progress.since + rules.answerTimeout - turn.now
        guard rest <= .zero else { return turn.set(.interception, after: rest) }
        let name = rules.interceptors[interception.progress.position]
        end(record, .failure(record.error(.interceptorTimedOut, actor: name)), tellsTask: false, &turn)
        tell(.stalled, of: record, name: name, &turn)
        if let stuck = interception.giveUp() { turn.order(.stop(stuck)) }
        letGoOfSettlements(&turn)
    }

    /// Sends a record past the interceptors, as it was added.
    mutating func askAgain(_ record: TaskRecord, _ turn: inout ManagerTurn) {
        turn.letGo(of: record.restoreTask())
        awaitTurn(record, &turn)
    }
}
