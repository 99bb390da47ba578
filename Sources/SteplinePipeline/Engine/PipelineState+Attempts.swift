/// What an attempt has come to; whether it is tried again was decided before, since that asks the user's code.
enum AttemptVerdict {
    case succeeded(Content)
    /// The step or its body was cancelled; what it made all the same, if anything.
    case cancelled(Content?)
    /// With the bag that the step leaves behind all the same, if it isn't the one it got.
    case failed(PipelineError, cause: any Error, leaving: Content?, retryAfter: Duration?)
}

extension PipelineState {
    /// The body of a step's attempt has ended.
    mutating func attemptEnded(
        _ step: StepOperation, attempt ended: Int, _ verdict: AttemptVerdict, at time: Duration,
        place: PipelinePlace
    ) -> PipelineEffects {
        var effects = PipelineEffects()
        guard case .running = phase, isCurrent(step), ended == attempt else {
            effects.also.lateBody = step
            return effects
        }
        switch activity {
        case .body:
            timers.drop(.attempt(handedOver - 1, attempt), &effects)
            conclude(step, verdict, at: time, place: place, &effects)
        case .oldBody(let timeout, let wait):
            timers.drop(.grace(attempt), &effects)
            waitAndRetry(after: wait, timeout, at: time, &effects)
        case .nothing, .queued, .backoff:
            effects.also.lateBody = step
        }
        return effects
    }

    private mutating func conclude(
        _ step: StepOperation, _ verdict: AttemptVerdict, at time: Duration, place: PipelinePlace,
        _ effects: inout PipelineEffects
    ) {
        switch verdict {
        case .succeeded(let result):
            bag = result
            settle(step, error: nil, .succeeded, at: time, &effects)
            goOn(at: time, place: place, &effects)
        case .cancelled(let result):
            bag = result ?? bag
            settle(step, error: nil, .cancelled, at: time, &effects)
            end(.cancelled(cancelReason ?? .step(position(of: handedOver - 1))), at: time, &effects)
        case .failed(let error, let cause, let left, let wait):
            // It may have been cancelled while its policy was asked.
            if cancelReason == nil, !step.isMarkedCancelled, let wait {
                waitAndRetry(after: wait, error, at: time, &effects)
            } else {
                bag = left ?? bag
                fail(step, error, cause: cause, at: time, &effects)
            }
        }
    }

    /// The current step has failed for good.
    mutating func fail(
        _ step: StepOperation, _ error: PipelineError, cause: any Error, at time: Duration,
        _ effects: inout PipelineEffects
    ) {
        settle(step, error: cause, .failed(error.cause ?? oneLine(cause)), at: time, &effects)
        end(cancelReason.map { .cancelled($0) } ?? .failed(error), at: time, &effects)
    }

    /// Ends the current step while it waits for its next attempt, which it won't get.
    ///
    /// One that never began stays as it is.
    mutating func abandonWaitingStep(
        error: (any Error)?, at time: Duration, _ effects: inout PipelineEffects
    ) {
        guard attempt > 0, let step = current else { return }
        if case .queued(let ticket?) = activity { effects.also.voided = ticket }
        if error == nil { effects.also.cancelled = step }
        settle(step, error: error, error.map { .failed(oneLine($0)) } ?? .cancelled, at: time, &effects)
    }

    /// Ends the step before anybody can learn of it from the pipeline.
    ///
    /// One that is to be cancelled ends after that, which calls the user's code: later it could not be any more.
    private mutating func settle(
        _ step: StepOperation, error: (any Error)?,
        _ outcome: @autoclosure () -> PipelineEvent.StepOutcome, at time: Duration,
        _ effects: inout PipelineEffects
    ) {
        if effects.others?.cancelled === step {
            effects.also.settledOnceCancelled = (bag, error)
        } else {
            effects.settled = step.settleSilently(content: bag, error: error)
        }
        content = bag
        activity = .nothing
        trackEnd(of: step, &effects)
        emit(at: time, &effects) {
            .stepEnded(
                $0.position(of: $0.handedOver - 1), attempt: $0.attempt, outcome(),
                duration: time - $0.waitingSince
            )
        }
    }

    private mutating func waitAndRetry(
        after wait: Duration, _ error: PipelineError, at time: Duration, _ effects: inout PipelineEffects
    ) {
        activity = .backoff
        waitingSince = time
        emit(at: time, &effects) {
            .retrying(
                $0.position(of: $0.handedOver - 1), failedAttempt: $0.attempt, error: error.description,
                wait: wait
            )
        }
        effects.also.timers.append(.init(.backoff(attempt), after: wait))
    }
}
