import SteplineSupport

extension StepOperation {
    /// Runs an attempt on this thread.
    ///
    /// Returns its end, or nil if that comes later, to `driver` or for a step alone to itself, or if there is no
    /// attempt. Without content the body gets what the step has.
    func runAttempt(
        _ number: UInt32, content: Content?, for driver: (any StepDriver)? = nil, at index: Int = 0
    ) -> AttemptEnd? {
        var remains = StepRemains()
        let (begin, bag) = state.withLock { state in
            let begin = state.begin(
                attempt: number, content: content, driver: driver, index: index, &remains)
            return (begin, state.content)
        }
        switch begin {
        case .refused: return nil
        case .cancelled: return .cancelled(nil)
        case .first: announce("isExecuting")
        case .again: break
        }
        let context = StepContext(step: self, attempt: Int(number))
        let end = Stages.areAny ? runOnStage(context, bag) : runBody(context, bag)
        return state.withLock { $0.bodyReturned(end, &remains) }
    }

    /// Ends an attempt: the one of that number, or whichever is live.
    ///
    /// With `inTask` callbacks are left to a worker, as Swift's own threads mustn't block.
    func end(attempt: Int?, error: (any Error)?, content: Content?, inTask: Bool = false) {
        var remains = StepRemains()
        let number = attempt.map { UInt32(clamping: $0) }
        switch state.withLock({ $0.finish(number, error: error, content: content, &remains) }) {
        case .ignored, .whenBodyReturns:
            break
        case .ended(let end, let number, let driver?):
            driver.bodyEnded(self, end, attempt: number, inTask: inTask)
        case .ended(let end, _, nil):
            settleAlone(end)
        }
    }

    /// Ends an attempt whose body has returned this after all.
    func end(_ end: AttemptEnd, ofAttempt attempt: Int) {
        switch end {
        case .succeeded(let content): self.end(attempt: attempt, error: nil, content: content)
        case .cancelled(let content):
            self.end(attempt: attempt, error: CancellationError(), content: content)
        case .failed(let error, let left): self.end(attempt: attempt, error: error, content: left)
        }
    }

    /// Ends a step that no pipeline drives.
    func settleAlone(_ end: AttemptEnd) {
        switch end {
        case .succeeded(let content): settle(content: content, error: nil).tell()
        case .cancelled(let content): settle(content: content, error: nil).tell()
        case .failed(let error, let left): settle(content: left, error: error).tell()
        }
    }

    /// Ends the step for good, and leaves it to the caller to tell, once that holds no lock any more.
    func settle(content: Content?, error: (any Error)?, cancelling: Bool = false) -> StepEnd {
        var remains = StepRemains()
        let isNews = state.withLock {
            $0.settle(content: content, error: error, cancelling: cancelling, &remains)
        }
        return StepEnd(step: self, isNews: isNews, isCancelled: cancelling, remains: remains)
    }

    /// Tells the body of an attempt to stop, if it has begun.
    func stopBody(ofAttempt number: UInt32) {
        for handler in state.withLock({ $0.stop(attempt: number) }) { handler() }
    }

    fileprivate func announceEnd() {
        announce("isFinished")
        announce("isExecuting")
    }
}

/// A step's end of which nobody has been told, with what the step held until then.
struct StepEnd {
    fileprivate let step: StepOperation
    fileprivate let isNews: Bool
    fileprivate let isCancelled: Bool
    fileprivate let remains: StepRemains

    /// Tells the body that is to stop, and whoever waits for the operation; not to be called under a lock.
    func tell() {
        guard isNews else { return }
        for handler in remains.due { handler() }
        if isCancelled { step.cancel() }
        step.announceEnd()
    }
}
