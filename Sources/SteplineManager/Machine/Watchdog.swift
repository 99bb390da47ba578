import SteplineEngine

/// Who has been named as stalled, and how often.
struct Watchdog {
    /// What may stall.
    enum Suspect: Hashable {
        case task(Int)
        case interceptor(Int)
        case asking(Int)
        case run(Int)
    }

    private typealias Notice = (since: Instant, times: Int)

    /// How long anything may go on unnamed; nil: for ever.
    private let patience: Duration?
    private var isAwake = false
    private var told: [Suspect: Notice] = [:]
    private var seen: [Suspect: Notice] = [:]
    private var next: Duration?

    init(patience: Duration?) {
        self.patience = patience.map { max($0, .milliseconds(1)) }
    }

    /// There is something to watch; the time after which to look, unless a look is to come anyway.
    mutating func rouse() -> Duration? {
        guard !isAwake, let patience else { return nil }
        isAwake = true
        return patience
    }

    mutating func beginRound() {
        seen = [:]
        next = nil
    }

    /// Whether a suspect is to be named, which has gone on since then: once its time is over, and at each doubling.
    mutating func names(_ suspect: Suspect, since: Instant, at now: Instant) -> Bool {
        guard let patience else { return false }
        var times = told[suspect].flatMap { $0.since == since ? $0.times : nil } ?? 0
        var isNamed = false
        while now - since >= patience * (1 << min(times, 40)), times < 40 {
            times += 1
            isNamed = true
        }
        if times > 0 { seen[suspect] = (since, times) }
        let due = since + patience * (1 << min(times, 40)) - now
        next = min(next ?? due, due)
        return isNamed
    }

    /// The time after which to look again, soon enough for whoever comes meanwhile; nil if nothing is there to be watched.
    mutating func endRound(isIdle: Bool) -> Duration? {
        told = seen
        seen = [:]
        isAwake = !isIdle
        guard !isIdle, let patience else { return nil }
        return min(next ?? patience, patience)
    }
}
