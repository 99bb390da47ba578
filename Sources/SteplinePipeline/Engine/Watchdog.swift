import SteplineEngine

/// Checks periodically whether a pipeline has waited too long for one event.
struct Watchdog {
    private let interval: Duration
    private var isAwake = false

    init(every interval: Duration) { self.interval = interval }

    /// Starts the checks when there is a reader; an interval of zero would repeat without pause.
    mutating func wake(_ turn: inout PipelineTurn) {
        // A single timer serves all readers.
        guard !isAwake, interval > .zero else { return }
        isAwake = true
        turn.set(.watchdog, after: interval)
    }

    /// Returns the time since `since` if it exceeds the interval, and sets the next check.
    func look(since: Instant, _ turn: inout PipelineTurn) -> Duration? {
        let waited = turn.now - since
        let isStalled = waited >= interval
        // After a progress, check again when the current wait reaches the interval.
        turn.set(.watchdog, after: isStalled ? interval : interval - waited)
        return isStalled ? waited : nil
    }
}
