import SteplineSupport

extension PipelineState {
    /// Ends the pipeline: from here on state, content and outcome are what they will be for ever.
    mutating func end(_ outcome: Outcome, at time: Duration, _ effects: inout PipelineEffects) {
        if case .queued(let ticket?) = activity { effects.also.voided = ticket }
        phase = .ended(outcome)
        activity = .nothing
        waitingSince = time
        if case .succeeded = outcome { trackSuccess(&effects) }
        emit(at: time, &effects) { _ in .ended(.init(outcome)) }
        if !readers.isEmpty { effects.also.wakeups += readers.finish() }
        timers.dropAll(&effects)
        effects.also.outcome = outcome
        planDeliveries(outcome, &effects)
        isTelling = !effects.also.due.isEmpty
        effects.also.endsTelling = isTelling
        if !isTelling { effects.also.waiters = takeWaiters() }
    }

    /// Those who were registered for the end have been told, as far as they have no queue of their own.
    ///
    /// Returns those who wait: they are to find done what the callbacks do.
    mutating func toldOfEnd() -> [CheckedContinuation<Outcome, Never>] {
        isTelling = false
        return takeWaiters()
    }

    private mutating func takeWaiters() -> [CheckedContinuation<Outcome, Never>] {
        defer { waiters = [] }
        return waiters
    }

    /// The outcome for somebody who waits; nil if that is still to come, and the continuation will be resumed.
    mutating func wait(_ continuation: CheckedContinuation<Outcome, Never>) -> Outcome? {
        if case .ended(let outcome) = phase, !isTelling { return outcome }
        waiters.append(continuation)
        return nil
    }

    /// Somebody wants the pipeline to stop.
    mutating func cancel(_ reason: CancellationReason, _ moment: PipelineMoment) -> PipelineEffects {
        var effects = PipelineEffects()
        calendar = calendar ?? moment.calendar
        switch phase {
        case .ended:
            isSilenced = true
            withdrawDeliveries(&effects)
        case .ready:
            end(.cancelled(reason), at: moment.uptime, &effects)
        case .running where cancelReason != nil:
            break
        case .running:
            cancelRunning(reason, at: moment.uptime, &effects)
        }
        return effects
    }

    private mutating func cancelRunning(
        _ reason: CancellationReason, at time: Duration, _ effects: inout PipelineEffects
    ) {
        guard case .body = activity else {
            abandonWaitingStep(error: nil, at: time, &effects)
            end(.cancelled(reason), at: time, &effects)
            return
        }
        cancelReason = reason
        dropResultObservers(&effects)
        emit(at: time, &effects) { _ in .cancelling(reason) }
        effects.also.cancelled = current
    }

    /// A step was cancelled by itself.
    ///
    /// If it runs, its end tells; if it waits, there is nothing to wait for.
    mutating func stepWasCancelled(_ step: StepOperation, at time: Duration) -> PipelineEffects {
        var effects = PipelineEffects()
        guard case .running = phase, isCurrent(step) else { return effects }
        switch activity {
        case .queued, .backoff, .oldBody:
            abandonWaitingStep(error: nil, at: time, &effects)
            end(.cancelled(.step(position(of: handedOver - 1))), at: time, &effects)
        case .body, .nothing:
            break
        }
        return effects
    }
}
