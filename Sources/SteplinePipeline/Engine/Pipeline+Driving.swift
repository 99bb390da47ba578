import Foundation
import SteplineSupport

/// The face that does what the machine has decided.
extension Pipeline: ExecutorJob {
    /// Begins the attempt that waited for the shared executor.
    package func runJob() { begin(place: .free) }

    /// Begins the attempt that waited for a queue.
    func runJob(on queue: StepQueue) { begin(place: .queue(queue)) }

    private func begin(place: PipelinePlace) {
        let time = options.clock.uptime
        drive(perform(machine.withLock { $0.queuedJobBegan(at: time) }), place: place)
    }

    /// The body of a step has ended on this thread.
    func attemptEnded(_ step: StepOperation, _ end: AttemptEnd, place: PipelinePlace) {
        let attempt = step.state.withLock { $0.attempt }
        drive(conclude(step, end, attempt: attempt, place: place), place: place)
    }

    /// Runs step after step on this thread, for as long as there is one that may run here.
    ///
    /// A loop and not a recursion, so that a chain of any length takes the same stack.
    func drive(_ first: PipelineEffects.Next, place: PipelinePlace = .callersStack) {
        var next = first
        while true {
            switch next {
            case .nothing:
                return
            case .enqueue(let queue?, let ticket):
                ticket?.enqueue(self, on: queue)
                return
            case .enqueue(nil, _):
                SharedExecutor.shared.enqueue(self)
                return
            case .run(let step, let index, let attempt, let bag):
                guard let end = step.runAttempt(attempt, content: bag, for: self, at: index) else { return }
                next = conclude(step, end, attempt: attempt, place: place)
            }
        }
    }

    private func conclude(
        _ step: StepOperation, _ end: AttemptEnd, attempt: Int, place: PipelinePlace
    ) -> PipelineEffects.Next {
        let verdict = verdict(on: step, end, attempt: attempt)
        let time = options.clock.uptime
        return perform(
            machine.withLock {
                $0.attemptEnded(step, attempt: attempt, verdict, at: time, place: place)
            }
        )
    }

    /// What an end means; computed before the machine is asked, as it asks the user's code.
    private func verdict(on step: StepOperation, _ end: AttemptEnd, attempt: Int) -> AttemptVerdict {
        switch end {
        case .succeeded(let bag):
            return .succeeded(bag)
        case .cancelled(let bag):
            return .cancelled(bag)
        case .failed(let cause, let left):
            let error = failure(of: step, cause, attempt: attempt)
            let wait = step.isCancelled ? nil : retryDelay(of: step, cause, attempt: attempt)
            return .failed(error, cause: cause, leaving: left, retryAfter: wait)
        }
    }

    func failure(of step: StepOperation, _ cause: any Error, attempt: Int) -> PipelineError {
        let position = machine.withLock { machine in
            machine.isCurrent(step) ? machine.currentPosition : nil
        }
        return .stepFailed(cause, pipeline: name, step: step, at: position, attempt: attempt)
    }

    func retryDelay(of step: StepOperation, _ error: any Error, attempt: Int) -> Duration? {
        let policy = step.optionsBox?.options.retry ?? options.retry
        guard policy.attempts > attempt, step.isRepeatable else { return nil }
        return policy.delay(afterAttempt: attempt, failedWith: error, now: options.clock.now)
    }

    /// Does what is to be done, and returns where to go on.
    @discardableResult
    func perform(_ effects: PipelineEffects) -> PipelineEffects.Next {
        effects.settled?.tell()
        if let others = effects.others { perform(others) }
        return effects.next
    }

    private func perform(_ effects: PipelineEffects.Rare) {
        if let cancelled = effects.cancelled {
            cancelled.cancel()
            if let (content, error) = effects.settledOnceCancelled {
                cancelled.settle(content: content, error: error)
            }
        }
        effects.lateBody?.lateBodyEnded()
        effects.voided?.void()
        if let progress = effects.progress { progress.view.show(progress.units) }
        for wakeup in effects.wakeups { wakeup() }
        for subscription in effects.ended { subscription.end() }
        for order in effects.timers { arm(order) }
        if let stopped = effects.stopped { stopped.step.stopBody(ofAttempt: stopped.attempt) }
        if let outcome = effects.outcome {
            for due in effects.due { deliver(outcome, due.delivery, in: due.context) }
            let waiters = effects.endsTelling ? machine.withLock { $0.toldOfEnd() } : effects.waiters
            for waiter in waiters { waiter.resume(returning: outcome) }
        }
    }
}
