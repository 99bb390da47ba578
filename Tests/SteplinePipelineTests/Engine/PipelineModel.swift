/// A model of a pipeline of plain steps, written without optimization.
struct PipelineModel {
    enum At: Equatable { case ready, others, queued, body, oldBody, backOff, ended(String) }

    enum Verdict: CaseIterable { case success, cancelled, failure, failureToRetry }

    /// A listener at the end.
    struct Listener: Equatable {
        /// `success`, `failure` or `end`.
        let kind: String
        let number: Int
    }

    /// The steps by their numbers, in order.
    private(set) var line: [Int]
    /// The steps that wait for other operations.
    var dependents: Set<Int> = []
    /// Whether what the pipeline is to make isn't there at its end.
    let lacksOutput: Bool
    var at = At.ready
    /// The place of the step that was handed over last.
    private(set) var place = 0
    var attempt = 0
    private(set) var isCancelling = false
    /// Whether a body has been told to stop and hasn't ended.
    private(set) var hasGrace = false
    private(set) var cancelledSteps: Set<Int> = []
    private(set) var listeners: [Listener] = []
    /// The notified listeners, in order.
    private(set) var reported: [Listener] = []

    init(_ line: [Int], lacksOutput: Bool) {
        self.line = line
        self.lacksOutput = lacksOutput
    }

    /// The step that was handed over last, or will be first; nil if there is none.
    var step: Int? { line.indices.contains(place) ? line[place] : nil }

    var dispatched: Int { at == .ready ? 0 : place + 1 }

    var isEnded: Bool { if case .ended = at { true } else { false } }
    var isRunning: Bool { at != .ready && !isEnded }

    private var mayRetry: Bool { !isCancelling && step.map { cancelledSteps.contains($0) } == false }

    mutating func start() {
        guard at == .ready else { return }
        if line.isEmpty { end("succeeded") } else { handOver() }
    }

    private mutating func handOver() {
        let waits = step.map { dependents.contains($0) && !cancelledSteps.contains($0) } == true
        (attempt, at) = (0, waits ? .others : .queued)
    }

    mutating func othersHaveEnded() { if at == .others { at = .queued } }

    mutating func jobBegan() {
        guard at == .queued else { return }
        attempt += 1
        at = .body
    }

    mutating func bodyEnded(_ step: Int, _ number: Int, _ verdict: Verdict) {
        guard isRunning, step == self.step, number == attempt else { return }
        hasGrace = false
        if at == .oldBody { at = .backOff }
        guard at == .body else { return }
        switch verdict {
        case .success where isCancelling: end("cancelled")
        case .success where place == line.count - 1: end(lacksOutput ? "failed" : "succeeded")
        case .success:
            place += 1
            handOver()
        case .cancelled: end("cancelled")
        case .failureToRetry where mayRetry: at = .backOff
        case .failure, .failureToRetry: fail()
        }
    }

    mutating func timedOut(_ number: Int, retries: Bool) {
        guard at == .body, number == attempt else { return }
        if retries, mayRetry { (at, hasGrace) = (.oldBody, true) } else { fail() }
    }

    mutating func graceIsOver() { if at == .oldBody { fail() } else if at == .body { end("cancelled") } }
    mutating func backOffIsOver() { if at == .backOff { at = .queued } }
    mutating func deadlinePassed() { if isRunning { fail() } }

    private mutating func fail() { end(isCancelling ? "cancelled" : "failed") }

    private mutating func end(_ word: String) {
        at = .ended(word)
        tell(word)
    }

    mutating func cancel() -> Bool {
        if isEnded || isCancelling { return false }
        listeners.removeAll { $0.kind != "end" }
        if at == .body { (isCancelling, hasGrace) = (true, true) } else { end("cancelled") }
        return true
    }

    mutating func stepCancelled(_ number: Int) {
        if isEnded { return }
        cancelledSteps.insert(number)
        guard isRunning, number == step else { return }
        if at == .body { hasGrace = true } else { end("cancelled") }
    }

    // MARK: Editing

    /// Puts a step at a place; whether that may be.
    mutating func insert(_ number: Int, at index: Int) -> Bool {
        guard !isEnded, !isCancelling, index >= dispatched else { return false }
        line.insert(number, at: index)
        return true
    }

    /// Takes a step out, and with `andLater` all behind it; whether that may be.
    mutating func remove(_ number: Int, andLater: Bool) -> Bool {
        guard !isEnded, !isCancelling, let index = line.firstIndex(of: number), index >= dispatched else {
            return false
        }
        line.removeSubrange(index..<(andLater ? line.count : index + 1))
        return true
    }

    // MARK: Listening

    mutating func listen(_ listener: Listener) {
        if isCancelling, isRunning, listener.kind != "end" { return }
        listeners.append(listener)
        if case .ended(let word) = at { tell(word) }
    }

    /// Removes matching listeners; the pipeline is cancelled if none is left that needs the result.
    mutating func stopListening(where isMeant: (Listener) -> Bool) {
        let wasNeeded = listeners.contains { $0.kind == "success" }
        listeners.removeAll(where: isMeant)
        if wasNeeded, !listeners.contains(where: { $0.kind == "success" }) { _ = cancel() }
    }

    private mutating func tell(_ word: String) {
        reported += listeners.filter { $0.kind == "end" }
        let kind = ["succeeded": "success", "failed": "failure"][word]
        reported += listeners.filter { $0.kind == kind }
        listeners = []
    }
}
