/// What a pipeline of plain steps should do, written as slowly and plainly as can be.
struct PipelineModel {
    enum At: Equatable { case ready, queued, body, oldBody, backOff, ended(String) }

    enum Verdict: CaseIterable { case success, cancelled, failure, failureToRetry }

    let count: Int
    /// Whether what the pipeline is to make isn't there at its end.
    let lacksOutput: Bool
    var at = At.ready
    var step = 0
    var attempt = 0
    var isCancelling = false
    var cancelledSteps: Set<Int> = []

    var isEnded: Bool { if case .ended = at { true } else { false } }
    var isRunning: Bool { at != .ready && !isEnded }

    private var mayRetry: Bool { !isCancelling && !cancelledSteps.contains(step) }

    mutating func start() { if at == .ready { at = .queued } }

    mutating func jobBegan() {
        guard at == .queued else { return }
        attempt += 1
        at = .body
    }

    mutating func bodyEnded(_ index: Int, _ number: Int, _ verdict: Verdict) {
        guard isRunning, index == step, number == attempt else { return }
        if at == .oldBody { at = .backOff }
        guard at == .body else { return }
        switch verdict {
        case .success where isCancelling: at = .ended("cancelled")
        case .success where step == count - 1: at = .ended(lacksOutput ? "failed" : "succeeded")
        case .success: (step, attempt, at) = (step + 1, 0, .queued)
        case .cancelled: at = .ended("cancelled")
        case .failureToRetry where mayRetry: at = .backOff
        case .failure, .failureToRetry: fail()
        }
    }

    mutating func timedOut(_ number: Int, retries: Bool) {
        guard at == .body, number == attempt else { return }
        if retries, mayRetry { at = .oldBody } else { fail() }
    }

    mutating func graceIsOver() { if at == .oldBody { fail() } }
    mutating func backOffIsOver() { if at == .backOff { at = .queued } }
    mutating func deadlinePassed() { if isRunning { fail() } }

    private mutating func fail() { at = .ended(isCancelling ? "cancelled" : "failed") }

    mutating func cancel() -> Bool {
        if isEnded || isCancelling { return false }
        if at == .body { isCancelling = true } else { at = .ended("cancelled") }
        return true
    }

    mutating func stepCancelled(_ index: Int) {
        if isEnded { return }
        cancelledSteps.insert(index)
        if isRunning, index == step, at != .body { at = .ended("cancelled") }
    }
}
