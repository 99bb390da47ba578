import Foundation
import SteplineSupport

/// The prefetched steps of a worker: claimed and not started, to save a store call for each short step.
///
/// The worker prefetches what its slots can execute in 20 ms, and nothing if bodies take longer, so that free workers
/// get the work. Steps that wait longer than 100 ms are returned to the queue.
struct StepsAhead {
    /// The execution time to prefetch, in seconds.
    private static let reach = 0.02
    /// The largest number of prefetched steps for each slot.
    private static let most = 32.0
    /// The longest wait of a prefetched step before it is returned.
    private static let patience = Duration.milliseconds(100)

    private let slots: Int
    private var line: [ClaimedStep] = []  // first in, first out
    private let clock: any StepClock
    /// The uptime at which the first step's wait began.
    private var since = Duration.zero
    /// The moving average of body durations, in seconds; nil before the first end.
    private var length: Double?

    init(slots: Int, clock: any StepClock) {
        self.slots = slots
        self.clock = clock
    }

    var count: Int { line.count }
    var ids: Set<Int> { Set(line.map(\.id)) }
    /// Whether a prefetched step must run alone.
    var isRisky: Bool { line.contains(where: \.offer.isRisky) }

    /// The number of steps that may be prefetched.
    var room: Int {
        guard let length, length < Self.reach else { return 0 }
        // A length of zero or less, after a change of the clock, counts as a microsecond.
        return Int(Double(slots) * min(Self.most, Self.reach / max(length, 1e-6)))
    }

    /// The pause until the next check for late steps; nil without prefetched steps.
    var rest: Duration? { line.isEmpty ? nil : Self.patience / 2 }

    /// Whether the first step has waited too long, so that all must be returned.
    var areLate: Bool { !line.isEmpty && clock.uptime - since >= Self.patience }

    /// Adds a duration to the average: fast for longer bodies, slowly for shorter ones.
    mutating func note(_ seconds: Double) {
        let old = length ?? seconds
        // Long bodies must stop prefetching soon: a prefetched step is withheld from free workers.
        length = old + (seconds - old) / (seconds > old ? 2 : 8)
    }

    /// Stops prefetching until bodies are short again.
    mutating func areLong() { length = Double(Self.patience / .seconds(1)) }

    mutating func add(_ claims: some Sequence<ClaimedStep>) {
        // Later claims don't restart the wait of the first step.
        if line.isEmpty { since = clock.uptime }
        line += claims
    }

    /// Removes and returns the first steps.
    mutating func take(_ count: Int) -> [ClaimedStep] {
        let first = Array(line.prefix(count))
        line.removeFirst(first.count)
        // The worker makes progress: the wait of the remaining steps starts again.
        since = clock.uptime
        return first
    }

    /// Removes and returns the steps whose claims satisfy a condition.
    mutating func take(where isMeant: (Int) -> Bool) -> [ClaimedStep] {
        let meant = line.filter { isMeant($0.id) }
        if !meant.isEmpty { line.removeAll { isMeant($0.id) } }
        return meant
    }
}
