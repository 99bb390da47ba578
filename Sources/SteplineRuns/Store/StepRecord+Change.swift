extension StepRecord {
    /// Returns the step after a change; nil if the change is refused.
    ///
    /// Implements the rule of ``StepChange`` for every store.
    package func taking(_ change: StepChange) -> StepRecord? {
        let isLater = change.attempt > attempt
        // A finished, failed or cancelled attempt is final: a second end with the same token is refused.
        let isGoingOn = state == .running || state == .waiting
        let isCurrent = isGoingOn && change.attempt == attempt && change.token == token
        var next = StepRecord(name: name)
        next.version = change.version
        next.links = change.links
        next.attempt = change.attempt
        next.token = change.token
        next.failures = change.failures
        next.interruptions = change.interruptions
        // The owner clears by number alone: the token of the cleared attempt may be that of an earlier process.
        if case .cleared = change.kind { return change.attempt >= attempt ? next : nil }
        guard isLater || isCurrent else { return nil }
        // A later attempt must not inherit the begin of the attempt that it replaces.
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
        // An ended attempt has begun even if no begin was written. A cancelled step may never have begun: it returns
        // above.
        next.began = next.began ?? change.date
        return next
    }

    /// Returns whether an accepted change moves the current attempt into the run's history.
    package func isReplaced(by change: StepChange) -> Bool {
        // Only attempts that began have a history worth keeping.
        if case .cleared = change.kind { return began != nil }
        return began != nil && change.attempt > attempt
    }
}
