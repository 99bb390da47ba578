import SteplineEngine

extension ManagerMachine {
    func state(of record: TaskRecord) -> TaskState {
        if let end = record.stage.end { return .finished(end) }
        let wait: TaskState.Wait? =
            switch record.stage {
            case .notStarted: .start
            case .delayed: .delay
            case .awaitingTurn, .intercepting: .interception
            case .held: .held
            case .ready:
                // Tasks of a reactor's run ignore pause and suspension.
                record.terms.reactor != nil
                    ? .slot : ready.isPaused ? .pause : ready.isSuspended ? .suspension : .slot
            case .executing, .ended: nil
            case .asked, .reacting: .reaction
            case .backingOff: .backoff
            }
        // After the first attempt a task stays `executing`, even while it waits to run again.
        return record.attempt.number > 0 ? .executing(wait) : .pending(wait ?? .slot)
    }

    /// Reports bodies, answers, holds and runs that exceed the watchdog's interval.
    mutating func watch(_ turn: inout ManagerTurn) {
        watchdog.beginRound()
        for record in register.tasks {
            let number = record.identifier.number
            switch record.stage {
            case .executing:
                look(at: .task(number), since: record.since, record, record.name, &turn)
            // A hold with an age limit ends by itself.
            case .held(let holder) where holds.limits(of: holder).age == nil:
                look(at: .task(number), since: record.since, record, rules.interceptors[holder], &turn)
            default: break
            }
        }
        // A question whose task has ended isn't reported: its answer no longer matters.
        if let record = interception.current, case .intercepting = record.stage {
            let progress = interception.progress
            look(
                at: .interceptor(record.identifier.number), since: progress.since, record,
                rules.interceptors[progress.position], &turn)
        }
        if let record = asking.current, case .asked = record.stage {
            let progress = asking.progress
            look(
                at: .asking(record.identifier.number), since: progress.since, record,
                rules.reactors[progress.position], &turn)
        }
        for (reactor, name) in rules.reactors.enumerated() {
            if let run = runs.run(of: reactor) {
                look(at: .run(run.number), since: run.since, nil, name, &turn)
            }
        }
        // An idle manager sets no timer: the next addition restarts the watch.
        let isIdle = register.unfinished == 0 && runs.isIdle
        if let next = watchdog.endRound(isIdle: isIdle) { turn.set(.watchdog, after: next) }
    }

    private mutating func look(
        at suspect: Watchdog.Suspect, since: Instant, _ record: TaskRecord?, _ name: String,
        _ turn: inout ManagerTurn
    ) {
        if watchdog.names(suspect, since: since, at: turn.now) {
            tell(.stalled, of: record, name: name, &turn)
        }
    }
}
