import SteplineSupport

extension Pipeline {
    /// Schedules a timer, and forgets it at once if it isn't wanted any more by then.
    func arm(_ order: PipelineEffects.TimerOrder) {
        let timer = order.timer
        let subscription = options.clock.schedule(after: order.delay) { [self] in
            // Held strongly: a pipeline that waits for nothing but a timer stays alive.
            fire(timer)
        }
        let isWanted = machine.withLock { machine in
            guard machine.wants(timer) else { return false }
            machine.timers.keep(timer, subscription)
            return true
        }
        if !isWanted { subscription.end() }
    }

    private func fire(_ timer: PipelineTimer) {
        let time = options.clock.uptime
        let next: PipelineEffects.Next
        switch timer {
        case .attempt(_, let attempt):
            guard let step = machine.withLock({ $0.wants(timer) ? $0.current : nil }) else { return }
            let limit = step.optionsBox?.options.timeout ?? .zero
            let error = timeout("no end within its time-out of \(limit)", step, attempt: attempt)
            let wait = retryDelay(of: step, error, attempt: attempt)
            next = perform(
                machine.withLock { $0.attemptTimedOut(timer, error, retryAfter: wait, at: time) })
        case .grace:
            next = perform(machine.withLock { $0.graceIsOver(timer, at: time) })
        case .backoff:
            next = perform(machine.withLock { $0.backoffIsOver(timer, at: time) })
        case .whole:
            let (step, attempt) = machine.withLock { ($0.current, $0.attempt) }
            let text = "the pipeline has not ended within its time-out of \(options.timeout ?? .zero)"
            let error = timeout(text, step, attempt: attempt)
            next = perform(machine.withLock { $0.wholeTimedOut(error, at: time) })
        case .watchdog:
            next = perform(machine.withLock { $0.watchdogLooks(at: time) })
        }
        drive(next)
    }

    private func timeout(_ text: String, _ step: StepOperation?, attempt: Int) -> PipelineError {
        let error = PipelineError(.timedOut, text)
        return step.map { failure(of: $0, error, attempt: attempt) } ?? error.inPipeline(name)
    }
}
