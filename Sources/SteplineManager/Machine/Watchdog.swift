import SteplineEngine

/// The reported stalls, and how often each was reported.
///
/// A stall is reported when it reaches the interval, and again at each doubling of its duration.
struct Watchdog {
    /// The activities that may stall.
    enum Suspect: Hashable {
        case task(Int)
        case interceptor(Int)
        case asking(Int)
        case run(Int)
    }

    private typealias Notice = (since: Instant, times: Int)

    /// The time until the first report; nil for no reports.
    private let patience: Duration?
    private var isAwake = false
    private var reported: [Suspect: Notice] = [:]
    private var seen: [Suspect: Notice] = [:]
    private var next: Duration?

    init(patience: Duration?) {
        self.patience = patience.map { max($0, .milliseconds(1)) }
    }

    /// Starts the watch; returns the time until the first check, or nil if a check is scheduled already.
    mutating func rouse() -> Duration? {
        guard !isAwake, let patience else { return nil }
        isAwake = true
        return patience
    }

    mutating func beginRound() {
        seen = [:]
        next = nil
    }

    /// Returns whether to report an activity that began at `since`: at the interval, and at each doubling.
    mutating func names(_ suspect: Suspect, since: Instant, at now: Instant) -> Bool {
        guard let patience else { return false }
        // The same activity only if it began at the same time: a record can stall in several attempts.
        var times = reported[suspect].flatMap { $0.since == since ? $0.times : nil } ?? 0
        var isNamed = false
        // The cap bounds the product: 40 doublings of the smallest interval, 1 ms, are 34 years.
        while now - since >= patience * (1 << min(times, 40)), times < 40 {
            times += 1
            isNamed = true
        }
        if times > 0 { seen[suspect] = (since, times) }
        let due = since + patience * (1 << min(times, 40)) - now
        next = min(next ?? due, due)
        return isNamed
    }

    /// Returns the time until the next check; nil if there is nothing to watch.
    mutating func endRound(isIdle: Bool) -> Duration? {
        // Activities that weren't seen in this round have ended: forget their reports.
        reported = seen
        seen = [:]
        isAwake = !isIdle
        guard !isIdle, let patience else { return nil }
        // New activities may begin meanwhile, so never wait longer than the interval.
        return min(next ?? patience, patience)
    }
}
