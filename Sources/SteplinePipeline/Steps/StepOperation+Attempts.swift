import SteplineSupport

extension StepOperation {
    /// Runs an attempt on this thread.
    ///
    /// Returns its end, or nil if that comes later, to `driver` or for a step alone to itself, or if there is no
    /// attempt.
    func runAttempt(
        _ number: Int, content: Content, for driver: Pipeline? = nil, at index: Int = 0
    ) -> AttemptEnd? {
        var remains = StepRemains()
        let begin = state.withLock {
            $0.begin(attempt: number, content: content, driver: driver, index: index, &remains)
        }
        switch begin {
        case .refused: return nil
        case .cancelled: return .cancelled(nil)
        case .first: announce("isExecuting")
        case .again: break
        }
        let end = runBody(StepContext(step: self, attempt: number), content)
        return state.withLock { $0.bodyReturned(end, &remains) }
    }

    /// Ends an attempt: the one of that number, or whichever is live.
    func end(attempt: Int?, error: (any Error)?, content: Content?) {
        var remains = StepRemains()
        switch state.withLock({ $0.finish(attempt, error: error, content: content, &remains) }) {
        case .ignored, .whenBodyReturns:
            break
        case .late:
            lateBodyEnded()
        case .ended(let end, let driver?):
            driver.attemptEnded(self, end, place: .foreign)
        case .ended(let end, nil):
            settleAlone(end)
        }
    }

    func settleAlone(_ end: AttemptEnd) {
        let bag = state.withLock { $0.content }
        switch end {
        case .succeeded(let content): settle(content: content, error: nil)
        case .cancelled(let content): settle(content: content ?? bag, error: nil)
        case .failed(let error, let left): settle(content: left ?? bag, error: error)
        }
    }

    /// Ends the step for good, and tells whoever waits for the operation.
    func settle(content: Content, error: (any Error)?) {
        settleSilently(content: content, error: error).tell()
    }

    /// Ends the step for good, and leaves it to the caller to tell, once that holds no lock any more.
    func settleSilently(content: Content, error: (any Error)?) -> StepSettlement {
        var remains = StepRemains()
        let isNews = state.withLock { $0.settle(content: content, error: error, &remains) }
        return StepSettlement(step: self, isNews: isNews, remains: remains)
    }

    /// The body of an attempt that had been given up has ended after all.
    func lateBodyEnded() {
        var remains = StepRemains()
        if state.withLock({ $0.lateBodyEnded(&remains) }) { announceEnd() }
    }

    /// Tells the body of an attempt to stop, if it has begun; without a number that of this and any other.
    func stopBody(ofAttempt number: Int? = nil) {
        for handler in state.withLock({ $0.stop(attempt: number) }) { handler() }
    }

    fileprivate func announceEnd() {
        announce("isFinished")
        announce("isExecuting")
    }
}

/// A step's end of which nobody has been told, with what the step held until then.
struct StepSettlement {
    let step: StepOperation
    fileprivate let isNews: Bool
    fileprivate let remains: StepRemains

    /// Tells whoever waits for the operation; not to be called under a lock.
    func tell() {
        if isNews { step.announceEnd() }
    }
}
