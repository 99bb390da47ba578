import SteplineSupport

/// Ends of steps that the store doesn't know yet: they are handed in together, so that one doesn't cost a commit each.
struct UnsentEnds {
    /// How long they wait at most for others to go with, where there is more to run.
    static let gathering = Duration.milliseconds(5)
    private static let most = 512

    private(set) var steps: [WorkedStep] = []
    private let clock: any StepClock
    /// The uptime at which the first of them was added.
    private var since = Duration.zero

    init(clock: any StepClock) { self.clock = clock }

    mutating func add(_ ended: [WorkedStep]) {
        if steps.isEmpty { since = clock.uptime }
        steps += ended
    }

    mutating func removeAll() { steps = [] }

    /// The first of them that go into one transaction: as many as their results allow.
    var batch: [WorkedStep] {
        var bytes = 0
        return Array(
            steps.prefix { step in
                let size = step.result?.count ?? 0
                bytes += size
                return bytes <= RunWriter.mostBytes || bytes == size
            })
    }

    mutating func removeFirst(_ count: Int) { steps.removeFirst(count) }

    /// Whether they must be sent now.
    var areDue: Bool { steps.count >= Self.most || clock.uptime - since >= Self.gathering }
}
