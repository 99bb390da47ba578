import SteplineSupport

extension PipelineState {
    /// Ends the pipeline: from here on state, content and outcome are what they will be for ever.
    mutating func end(_ outcome: Outcome, at time: Duration, _ effects: inout PipelineEffects) {
        if case .queued(let ticket?) = activity { effects.also.voided = ticket }
        phase = .ended(outcome)
        activity = .nothing
        waitingSince = time
        emit(at: time, &effects) { _ in .ended(.init(outcome)) }
        if !readers.isEmpty { effects.also.wakeups += readers.finish() }
        timers.dropAll(&effects)
        if case .succeeded = outcome, let progress { effects.also.progress = (progress.view, .complete) }
        effects.also.waiters = waiters
        effects.also.outcome = outcome
        waiters = []
        planDeliveries(outcome, &effects)
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
            if case .oldBody = activity { effects.also.cancelled = current }
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
            end(.cancelled(.step(position(of: handedOver - 1))), at: time, &effects)
        case .body, .nothing:
            break
        }
        return effects
    }
}
