import SteplineSupport

extension ManagerCore {
    func schedule(_ timer: ManagerEffects.Timer, after delay: Duration) {
        let subscription = options.clock.schedule(after: delay, call(timer))
        // The record, or the run, may have moved on meanwhile: then nobody would end the timer.
        let isNeeded = machine.withLock { machine in
            switch timer {
            case .record(let record, let number):
                guard record.outcome == nil, record.timer.number == number else { return false }
                record.timer.subscription = subscription
            case .deadline(let record):
                guard record.outcome == nil else { return false }
                record.deadlineTimer = subscription
            case .run(let reactor, let number):
                guard machine.reactors[reactor].run?.number == number else { return false }
                machine.reactors[reactor].timer = subscription
            case .hold(let interceptor, let number):
                guard machine.holds[interceptor].timer.number == number else { return false }
            case .abandon(let record, _):
                guard machine.stopped[ObjectIdentifier(record)] != nil else { return false }
                record.timer.subscription = subscription
            case .watchdog:
                machine.watchdog.timer = subscription
            case .abandonRun, .interceptionAnswer, .reactionAnswer:
                break
            }
            return true
        }
        if !isNeeded { subscription.end() }
    }

    private func call(_ timer: ManagerEffects.Timer) -> @Sendable () -> Void {
        switch timer {
        case .interceptionAnswer, .reactionAnswer, .watchdog:
            // These are left to run out: as long as somebody is asked or executes, he keeps the manager.
            { [weak self] in self?.fired(timer) }
        default:
            { self.fired(timer) }
        }
    }

    private func fired(_ timer: ManagerEffects.Timer) {
        switch timer {
        case .record(let record, let number):
            update(on: .shared) { $0.timerFired(record, number: number) }
        case .deadline(let record):
            update(on: .shared) { $0.deadlinePassed(record) }
        case .abandon(let record, let attempt):
            update(on: .shared) { $0.abandon(record, attempt: attempt) }
        case .hold(let interceptor, let number):
            update(on: .shared) { $0.holdExpired(interceptor, number: number) }
        case .run(let reactor, let number):
            update(on: .shared) { $0.runTimedOut(reactor: reactor, number: number) }
        case .abandonRun(let reactor, let number):
            update(on: .shared) { $0.oldBodyEnded(reactor: reactor, number: number) }
        case .watchdog:
            update(on: .shared) { $0.watch() }
        case .interceptionAnswer:
            update(on: .shared) { $0.checkInterceptionAnswer() }
        case .reactionAnswer:
            update(on: .shared) { $0.checkReactionAnswer() }
        }
    }
}
