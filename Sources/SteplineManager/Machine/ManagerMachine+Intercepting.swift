import SteplineEngine

extension ManagerMachine {
    /// Begins asking the interceptors about a record.
    mutating func beginIntercepting(_ record: TaskRecord, _ turn: inout ManagerTurn) -> Work {
        markBegin(of: record)
        move(record, to: .intercepting, &turn)
        record.checkOut(for: .interceptors)
        // A timer that is set serves all questions: at each firing it checks the current one.
        if !turn.isSet(.interception) { turn.set(.interception, after: rules.answerTimeout) }
        return .interception(
            // The attempt hasn't begun: its number is the next one.
            record, attempt: record.attemptNumber + 1, heldCounts: holds.counts, round: interception.round,
            interception.progress)
    }

    /// Handles the answers of all interceptors, in order; returns false if the question was given up.
    mutating func intercepted(
        _ record: TaskRecord, _ answers: InterceptAnswers, round: Int, _ turn: inout ManagerTurn
    ) -> Bool {
        guard interception.close(record, in: round) else {
            // The answer timeout has ended the record already: only release the copy.
            release(record.takeBack(from: .interceptors), &turn)
            return false
        }
        let isOpen = record.stage.end == nil
        // Only an open record takes over the interceptors' changes.
        if isOpen { record.checkIn() }
        release(record.takeBack(from: .interceptors), &turn)
        if isOpen {
            tell(.intercepted, of: record, &turn)
            decide(on: record, answers, &turn)
        } else {
            turn.releaseAfterUnlock(record)
        }
        releaseSettlements(&turn)
        return true
    }

    /// Releases the settlements: they apply to the task that was asked about meanwhile, and to no later task.
    private mutating func releaseSettlements(_ turn: inout ManagerTurn) {
        let settlements = holds.takeSettlements()
        if !settlements.isEmpty { turn.releaseAfterUnlock(settlements) }
    }

    private mutating func decide(
        on record: TaskRecord, _ answers: InterceptAnswers, _ turn: inout ManagerTurn
    ) {
        guard case .each(let answers) = answers else {
            // All interceptors answered `execute`: each of them releases its held tasks.
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
            // The delay replaces further questions: the record runs afterwards.
            record.skipsInterception = true
            move(record, to: .delayed, &turn)
            turn.set(.delay(record), after: delay)
        }
    }

    /// Checks whether the current interceptor has exceeded the time limit, even if the task has ended.
    mutating func checkInterceptionAnswer(_ turn: inout ManagerTurn) {
        // No question is open; the next one sets the timer again.
        guard let record = interception.current else { return }
        let rest = interception.progress.since + rules.answerTimeout - turn.now
        // The timer was set for an earlier question: set it again for the rest of this one.
        guard rest <= .zero else { return turn.set(.interception, after: rest) }
        let name = rules.interceptors[interception.progress.position]
        end(record, .failure(record.error(.interceptorTimedOut, actor: name)), tellsTask: false, &turn)
        tell(.stalled, of: record, name: name, &turn)
        // The runner is blocked in the interceptor. Another runner asks about the next record.
        if let stuck = interception.giveUp() { turn.order(.stop(stuck)) }
        releaseSettlements(&turn)
    }

    /// Sends a record to the interceptors again, in its original form.
    mutating func askAgain(_ record: TaskRecord, _ turn: inout ManagerTurn) {
        turn.releaseAfterUnlock(record.restoreTask())
        awaitTurn(record, &turn)
    }
}
