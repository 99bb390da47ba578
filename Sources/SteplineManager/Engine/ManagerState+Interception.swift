import SteplineSupport

/// An interceptor's answer, with its limits as they were then.
struct InterceptAnswer {
    let command: InterceptCommand
    let limits: HoldLimits
}

extension ManagerState {
    /// A record's turn with the interceptors begins; what each of them holds.
    mutating func beginIntercepting(_ record: TaskRecord) -> [Int] {
        move(record, to: .intercepting)
        record.checkOut(for: .interceptors)
        interception.progress.begin(at: record.since)
        if !interception.hasTimer {
            interception.hasTimer = true
            effects.timers.append((.interceptionAnswer, answerTimeout))
        }
        return heldCounts
    }

    /// All have answered, in order.
    mutating func intercepted(_ record: TaskRecord, _ answers: [InterceptAnswer], loop: Int) {
        guard interception.close(record, in: loop) else { return }
        if record.outcome == nil { record.checkIn() }
        released.add(record.letGo(of: .interceptors))
        guard record.outcome == nil else { return settled = [:] }
        defer { if !settled.isEmpty { settled = [:] } }
        tell(.intercepted, record)
        var verdict = Verdict()
        for (position, answer) in answers.enumerated() { verdict.take(answer.command, from: position) }
        if verdict.isForced { return run(record, verdict) }
        if let (position, error) = verdict.failure {
            _ = position
            return end(record, .failed, error, tellsTask: false)
        }
        if let position = verdict.discarder {
            let error = TaskManagerError(
                .discarded, of: record, attempt: record.attempt, actor: interceptorNames[position])
            return end(record, .discarded, error, tellsTask: false)
        }
        if let position = verdict.holder { return hold(record, by: position, answers[position].limits) }
        if let delay = verdict.delay, delay > .zero {
            record.skipsInterception = true
            move(record, to: .delayed)
            return arm(record, after: delay)
        }
        run(record, verdict)
    }

    /// What all answers together mean.
    private struct Verdict {
        var isForced = false
        var failure: (Int, any Error)?
        var discarder: Int?
        var holder: Int?
        var delay: Duration?
        var releasers: [Int] = []

        mutating func take(_ command: InterceptCommand, from position: Int) {
            switch command {
            case .execute: releasers.append(position)
            case .forceExecute:
                isForced = true
                releasers.append(position)
            case .hold: holder = holder ?? position
            case .discard: discarder = discarder ?? position
            case .fail(let error): failure = failure ?? (position, error)
            case .delay(let time): delay = max(delay ?? time, time)
            }
        }
    }

    private mutating func run(_ record: TaskRecord, _ verdict: Verdict) {
        for position in verdict.releasers { release(by: position) }
        enqueue(record)
    }

    // MARK: Holding

    private mutating func hold(_ record: TaskRecord, by position: Int, _ limits: HoldLimits) {
        move(record, to: .held(by: position))
        holds[position].limits = limits
        holds[position].records.append(record)
        holds[position].count += 1
        heldCounts[position] += 1
        tell(.held, record, name: interceptorNames[position])
        if limits.age == nil { unmoved += 1 }
        if isReleased, limits.age == nil, holds[position].count < limits.count ?? .max {
            return end(record, .cancelled, TaskManagerError(.managerReleased, of: record))
        }
        if let count = limits.count, holds[position].count >= max(count, 1) {
            reachLimit(of: position)
        } else if isShuttingDown {
            release(by: position)
        } else if let age = limits.age, holds[position].count == 1 {
            holds[position].timer.number += 1
            effects.timers.append((.hold(interceptor: position, number: holds[position].timer.number), age))
        }
        if let settlement = settled[position], record.isHeld(by: position) {
            settleHeld(by: position, settlement)
        }
        wakeIfIdle()
    }

    mutating func holdExpired(_ position: Int, number: Int) {
        guard holds[position].timer.number == number, holds[position].count > 0 else { return }
        let now = now
        let oldest = holds[position].records.first { $0.isHeld(by: position) }
        guard let oldest, let age = holds[position].limits.age else { return }
        let rest = oldest.since + age - now
        if rest > .zero {
            effects.timers.append((.hold(interceptor: position, number: number), rest))
        } else {
            reachLimit(of: position)
        }
    }

    private mutating func reachLimit(of position: Int) {
        guard holds[position].limits.then == .fail else { return release(by: position) }
        for record in holds[position].records where record.isHeld(by: position) {
            let error = TaskManagerError(.holdExpired, of: record, actor: interceptorNames[position])
            end(record, .failed, error, tellsTask: false)
        }
        forgetHeld(by: position)
    }

    /// Lets all go that an interceptor holds, in order of holding.
    mutating func release(by position: Int) {
        guard holds[position].count > 0 else { return }
        let hadAge = holds[position].limits.age != nil
        let released = holds[position].records.filter { $0.isHeld(by: position) }
        forgetHeld(by: position)
        for record in released {
            if !hadAge { unmoved -= 1 }
            tell(.released, record, name: interceptorNames[position])
            enqueue(record)
        }
    }

    mutating func forgetHeld(by position: Int) {
        holds[position].records = []
        holds[position].count = 0
        heldCounts[position] = 0
        holds[position].timer.number += 1
    }

    // MARK: No answer

    /// The clock looks whether the interceptor being asked has taken too long.
    mutating func checkInterceptionAnswer() {
        interception.hasTimer = false
        guard let record = interception.current, case .intercepting = record.phase else { return }
        let rest = interception.progress.since + answerTimeout - now
        guard rest <= .zero else {
            interception.hasTimer = true
            effects.timers.append((.interceptionAnswer, rest))
            return
        }
        let name = interceptorNames[interception.progress.position]
        end(
            record, .failed, TaskManagerError(.interceptorTimedOut, of: record, actor: name), tellsTask: false
        )
        tell(.stalled, record, name: name)
        if let stuck = interception.giveUp() { effects.stoppedRunners.append(stuck) }
    }
}

extension TaskRecord {
    func isHeld(by position: Int) -> Bool {
        if case .held(let holder) = phase { holder == position } else { false }
    }
}
