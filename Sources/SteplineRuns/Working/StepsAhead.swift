import Foundation
import SteplineSupport

/// The steps that a worker has taken and not begun, so that short ones don't cost a question to the store each.
///
/// It takes as many as its slots run in a moment, and none where steps are long: those are for whoever is free. Where they
/// turn out longer than was thought, they are given back.
struct StepsAhead {
    /// For how long those that are ahead last, as far as is known.
    private static let reach = 0.02
    /// How many there are at most for each slot.
    private static let most = 32.0
    /// How long one waits at most until it is given back.
    private static let patience = Duration.milliseconds(100)

    private let slots: Int
    private var line: [ClaimedStep] = []
    private let clock: any StepClock
    /// The uptime at which the wait of the first one began.
    private var since = Duration.zero
    /// How long bodies take, in seconds; nil before the first.
    private var length: Double?

    init(slots: Int, clock: any StepClock) {
        self.slots = slots
        self.clock = clock
    }

    var count: Int { line.count }
    var ids: Set<Int> { Set(line.map(\.id)) }
    /// Whether one of them may end the process.
    var isRisky: Bool { line.contains(where: \.offer.isRisky) }

    /// How many may be ahead.
    var room: Int {
        guard let length, length < Self.reach else { return 0 }
        return Int(Double(slots) * min(Self.most, Self.reach / max(length, 1e-6)))
    }

    /// How soon they are to be looked at again, so that none waits for much too long; nil if there are none.
    var rest: Duration? { line.isEmpty ? nil : Self.patience / 2 }

    /// Whether they have waited too long and must be handed back.
    var areLate: Bool { !line.isEmpty && clock.uptime - since >= Self.patience }

    /// A body has taken so long: that some are long is believed sooner than that they are short.
    mutating func note(_ seconds: Double) {
        let old = length ?? seconds
        length = old + (seconds - old) / (seconds > old ? 2 : 8)
    }

    /// Bodies take longer than was thought: nothing more is taken ahead until some were short again.
    mutating func areLong() { length = Double(Self.patience / .seconds(1)) }

    mutating func add(_ claims: some Sequence<ClaimedStep>) {
        if line.isEmpty { since = clock.uptime }
        line += claims
    }

    /// Takes out those that come first.
    mutating func take(_ count: Int) -> [ClaimedStep] {
        let first = Array(line.prefix(count))
        line.removeFirst(first.count)
        since = clock.uptime
        return first
    }

    /// Takes out those that satisfy a condition.
    mutating func take(where isMeant: (Int) -> Bool) -> [ClaimedStep] {
        let meant = line.filter { isMeant($0.id) }
        if !meant.isEmpty { line.removeAll { isMeant($0.id) } }
        return meant
    }
}
