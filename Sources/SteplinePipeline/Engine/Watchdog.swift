import SteplineEngine

/// Looks from time to time whether a pipeline has waited for one thing for too long.
struct Watchdog {
    private let interval: Duration
    private var isAwake = false

    init(every interval: Duration) { self.interval = interval }

    /// Begins to look, now that there is a reader to be told; without any time in between it would never end.
    mutating func wake(_ turn: inout PipelineTurn) {
        guard !isAwake, interval > .zero else { return }
        isAwake = true
        turn.set(.watchdog, after: interval)
    }

    /// Looks: how long it has waited since then if that is too long; and sets when to look again.
    func look(since: Instant, _ turn: inout PipelineTurn) -> Duration? {
        let waited = turn.now - since
        let isStalled = waited >= interval
        turn.set(.watchdog, after: isStalled ? interval : interval - waited)
        return isStalled ? waited : nil
    }
}
