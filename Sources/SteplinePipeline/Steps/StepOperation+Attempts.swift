import SteplineSupport

extension StepOperation {
    /// Runs an attempt on this thread.
    ///
    /// - Parameters:
    ///   - number: The number of the attempt.
    ///   - content: The input of the body; nil for the step's own content.
    ///   - driver: The pipeline; nil for a step without one.
    ///   - index: The index of the step in its pipeline.
    /// - Returns: The end of the attempt. Nil if the end is reported later, to `driver` or the step itself, or if no
    ///   attempt began.
    func runAttempt(
        _ number: UInt32, content: Content?, for driver: (any StepDriver)? = nil, at index: Int = 0
    ) -> AttemptEnd? {
        var remains = StepRemains()
        let (begin, bag) = state.withLock { state in
            // The decision and the content belong to one critical section: a cancel can't come between them.
            let begin = state.begin(
                attempt: number, content: content, driver: driver, index: index, &remains)
            return (begin, state.content)
        }
        switch begin {
        case .refused: return nil
        case .cancelled: return .cancelled(nil)
        // Notify the operation's observers without the lock: they are user code.
        case .first: announce("isExecuting")
        case .again: break
        }
        let context = StepContext(step: self, attempt: Int(number))
        let end = Stages.areAny ? runOnStage(context, bag) : runBody(context, bag)
        // Decided under the lock, because `finish` may be called on another thread at this moment.
        return state.withLock { $0.bodyReturned(end, &remains) }
    }

    /// Ends an attempt.
    ///
    /// - Parameters:
    ///   - attempt: The number of the attempt; nil for the live one.
    ///   - error: The error; nil for a success.
    ///   - content: The content that the attempt leaves; nil for the step's own content.
    ///   - inTask: Whether this thread belongs to Swift's cooperative pool. A worker then calls the callbacks, which
    ///     may block.
    func end(attempt: Int?, error: (any Error)?, content: Content?, inTask: Bool = false) {
        var remains = StepRemains()
        let number = attempt.map { UInt32(clamping: $0) }
        switch state.withLock({ $0.finish(number, error: error, content: content, &remains) }) {
        // `whenBodyReturns`: the thread that runs the body reports the end after its return.
        case .ignored, .whenBodyReturns:
            break
        case .ended(let end, let number, let driver?):
            driver.bodyEnded(self, end, attempt: number, inTask: inTask)
        case .ended(let end, _, nil):
            settleAlone(end)
        }
    }

    /// Ends an attempt with the result that its body returned late.
    func end(_ end: AttemptEnd, ofAttempt attempt: Int) {
        switch end {
        case .succeeded(let content): self.end(attempt: attempt, error: nil, content: content)
        case .cancelled(let content):
            self.end(attempt: attempt, error: CancellationError(), content: content)
        case .failed(let error, let left): self.end(attempt: attempt, error: error, content: left)
        }
    }

    /// Ends a step without a pipeline.
    func settleAlone(_ end: AttemptEnd) {
        switch end {
        case .succeeded(let content): settle(content: content, error: nil).tell()
        case .cancelled(let content): settle(content: content, error: nil).tell()
        case .failed(let error, let left): settle(content: left, error: error).tell()
        }
    }

    /// Ends the step for good; the caller reports the returned end after releasing its locks.
    func settle(content: Content?, error: (any Error)?, cancelling: Bool = false) -> StepEnd {
        var remains = StepRemains()
        let isNews = state.withLock {
            $0.settle(content: content, error: error, cancelling: cancelling, &remains)
        }
        return StepEnd(step: self, isNews: isNews, isCancelled: cancelling, remains: remains)
    }

    /// Stops the body of an attempt, if it has begun.
    func stopBody(ofAttempt number: UInt32) {
        for handler in state.withLock({ $0.stop(attempt: number) }) { handler() }
    }

    fileprivate func announceEnd() {
        announce("isFinished")
        announce("isExecuting")
    }
}

/// The unreported end of a step, with the values that the step held until then.
struct StepEnd {
    fileprivate let step: StepOperation
    fileprivate let isNews: Bool
    fileprivate let isCancelled: Bool
    fileprivate let remains: StepRemains

    /// Stops the body if necessary and notifies the operation's waiters; don't call this under a lock.
    func tell() {
        // The step had ended before: its end was reported.
        guard isNews else { return }
        for handler in remains.due { handler() }
        if isCancelled { step.cancel() }
        step.announceEnd()
    }
}
