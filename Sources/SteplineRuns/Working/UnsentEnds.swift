/// Ends of steps that the store doesn't know yet: they are handed in together, so that one doesn't cost a commit each.
struct UnsentEnds {
    /// How long they wait at most for others to go with, where there is more to run.
    static let gathering = Duration.milliseconds(5)
    private static let most = 512

    private(set) var steps: [WorkedStep] = []
    private var since = ContinuousClock.now

    mutating func add(_ ended: [WorkedStep]) {
        if steps.isEmpty { since = .now }
        steps += ended
    }

    mutating func removeAll() { steps = [] }

    /// Whether they aren't to wait any longer.
    func areDue(at now: ContinuousClock.Instant = .now) -> Bool {
        steps.count >= Self.most || now - since >= Self.gathering
    }
}
