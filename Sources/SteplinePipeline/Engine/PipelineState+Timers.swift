import SteplineSupport

/// What a pipeline's timers are for.
enum PipelineTimer: Hashable {
    /// The time of one attempt of one step.
    case attempt(Int, Int)
    /// The wait after a failed attempt.
    case backoff(Int)
    /// The wait for a body whose time is over.
    case grace(Int)
    /// The time of the whole run.
    case whole
    case watchdog
}

/// The timers that are running; most pipelines never have one.
struct PipelineTimers {
    private var running: [PipelineTimer: Subscription] = [:]

    /// Notes a timer that has been scheduled.
    mutating func keep(_ timer: PipelineTimer, _ subscription: Subscription) {
        running[timer] = subscription
    }

    mutating func drop(_ timer: PipelineTimer, _ effects: inout PipelineEffects) {
        guard !running.isEmpty, let subscription = running.removeValue(forKey: timer) else { return }
        effects.also.ended.append(subscription)
    }

    mutating func dropAll(_ effects: inout PipelineEffects) {
        guard !running.isEmpty else { return }
        effects.also.ended += running.values
        running = [:]
    }
}

extension PipelineState {
    /// Whether a timer that has been ordered is still wanted, by the time it was scheduled.
    func wants(_ timer: PipelineTimer) -> Bool {
        guard case .running = phase else { return false }
        switch (timer, activity) {
        case (.attempt(let index, let number), .body): return index == handedOver - 1 && number == attempt
        case (.backoff(let number), .backoff), (.grace(let number), .oldBody): return number == attempt
        case (.whole, _), (.watchdog, _): return true
        default: return false
        }
    }

    /// The current attempt's time is over; whether another follows was decided before.
    mutating func attemptTimedOut(
        _ timer: PipelineTimer, _ error: PipelineError, retryAfter wait: Duration?, at time: Duration
    ) -> PipelineEffects {
        var effects = PipelineEffects()
        guard wants(timer), let step = current else { return effects }
        timers.drop(timer, &effects)
        if cancelReason == nil, !step.isMarkedCancelled, let wait {
            activity = .oldBody(timeout: error, wait: wait)
            waitingSince = time
            effects.also.stopped = (step, attempt)
            effects.also.timers.append(.init(.grace(attempt), after: options.grace))
        } else {
            effects.also.cancelled = step
            fail(step, error, cause: error, at: time, &effects)
        }
        return effects
    }

    /// The old body has not ended in the time it was given.
    mutating func graceIsOver(_ timer: PipelineTimer, at time: Duration) -> PipelineEffects {
        var effects = PipelineEffects()
        guard wants(timer), case .oldBody(let timeout, _) = activity, let step = current else {
            return effects
        }
        timers.drop(timer, &effects)
        effects.also.cancelled = step
        fail(step, timeout, cause: timeout, at: time, &effects)
        return effects
    }

    /// The wait before the next attempt has passed.
    mutating func backoffIsOver(_ timer: PipelineTimer, at time: Duration) -> PipelineEffects {
        var effects = PipelineEffects()
        guard wants(timer) else { return effects }
        timers.drop(timer, &effects)
        handOver(at: time, place: .callersStack, &effects)
        return effects
    }

    /// The time of the whole run is over.
    mutating func wholeTimedOut(_ error: PipelineError, at time: Duration) -> PipelineEffects {
        var effects = PipelineEffects()
        guard case .running = phase else { return effects }
        guard let step = current, case .body = activity else {
            if case .oldBody = activity { effects.also.cancelled = current }
            abandonWaitingStep(error: error, at: time, &effects)
            end(cancelReason.map { .cancelled($0) } ?? .failed(error), at: time, &effects)
            return effects
        }
        effects.also.cancelled = step
        fail(step, error, cause: error, at: time, &effects)
        return effects
    }

    /// Looks whether the pipeline has waited for one thing for too long, and when to look again.
    mutating func watchdogLooks(at time: Duration) -> PipelineEffects {
        var effects = PipelineEffects()
        guard case .running = phase, let position = currentPosition else { return effects }
        timers.drop(.watchdog, &effects)
        let waited = time - waitingSince
        if waited >= options.watchdog {
            emit(at: time, &effects) { .stalled(position, attempt: $0.attempt, waiting: waited) }
            effects.also.timers.append(.init(.watchdog, after: options.watchdog))
        } else {
            effects.also.timers.append(.init(.watchdog, after: options.watchdog - waited))
        }
        return effects
    }
}
