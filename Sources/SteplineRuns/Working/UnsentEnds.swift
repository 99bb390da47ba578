import SteplineSupport

/// The ends that the store doesn't have yet, gathered so that several share one transaction.
struct UnsentEnds {
    /// The longest wait for more ends while prefetched steps remain.
    static let gathering = Duration.milliseconds(5)
    private static let most = 512

    private(set) var steps: [WorkedStep] = []
    private let clock: any StepClock
    /// The uptime at which the first end was added.
    private var since = Duration.zero

    init(clock: any StepClock) { self.clock = clock }

    mutating func add(_ ended: [WorkedStep]) {
        if steps.isEmpty { since = clock.uptime }
        steps += ended
    }

    mutating func removeAll() { steps = [] }

    /// The first ends that fit into one transaction by the size of their results.
    var batch: [WorkedStep] {
        var bytes = 0
        return Array(
            steps.prefix { step in
                let size = step.result?.count ?? 0
                bytes += size
                // A first result above the limit is sent alone.
                return bytes <= WaitingChanges.mostBytes || bytes == size
            })
    }

    mutating func removeFirst(_ count: Int) { steps.removeFirst(count) }

    /// Whether the ends must be sent now.
    var areDue: Bool { steps.count >= Self.most || clock.uptime - since >= Self.gathering }
}
