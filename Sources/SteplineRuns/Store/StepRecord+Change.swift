extension StepRecord {
    /// What the step is after a change; nil if the change is refused.
    ///
    /// This is the rule of ``StepChange`` for every store.
    package func taking(_ change: StepChange) -> StepRecord? {
        let isLater = change.attempt > attempt
        let isGoingOn = state == .running || state == .waiting
        let isCurrent = isGoingOn && change.attempt == attempt && change.token == token
        var next = StepRecord(name: name)
        next.version = change.version
        next.links = change.links
        next.attempt = change.attempt
        next.token = change.token
        next.failures = change.failures
        next.interruptions = change.interruptions
        if case .cleared = change.kind { return change.attempt >= attempt ? next : nil }
        guard isLater || isCurrent else { return nil }
        next.began = change.began ?? (isLater ? nil : began)
        next.ended = change.date
        next.worker = change.worker
        switch change.kind {
        case .began:
            next.state = .running
            next.began = change.began ?? change.date
            next.ended = nil
        case .finished(let result):
            next.state = .finished
            next.resultSize = result?.count
        case .failed(let failure):
            next.state = .failed
            next.failure = failure
        case .waiting(let failure, let due, let wait):
            next.state = .waiting
            next.failure = failure
            next.due = due
            next.wait = wait
        case .cancelled(let failure):
            next.state = .cancelled
            next.failure = failure
            return next
        case .cleared:
            break
        }
        // What ended did begin, also where nobody told when; a cancelled step need not have.
        next.began = next.began ?? change.date
        return next
    }

    /// Whether an accepted change puts this into the run's history.
    package func isReplaced(by change: StepChange) -> Bool {
        if case .cleared = change.kind { return began != nil }
        return began != nil && change.attempt > attempt
    }
}
