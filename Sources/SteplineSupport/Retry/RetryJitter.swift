/// How a wait is changed by chance, so that many clients don't come back all at once.
public struct RetryJitter: Sendable, Hashable {
    private enum Kind { case none, equal, full }

    private let kind: Kind
    private let seed: UInt64?

    /// Waits exactly as long as computed.
    public static let none = RetryJitter(kind: .none, seed: nil)

    /// Waits anything from half the computed time up to all of it.
    public static let equal = RetryJitter(kind: .equal, seed: nil)

    /// Waits anything from nothing up to the computed time.
    public static let full = RetryJitter(kind: .full, seed: nil)

    /// The same kind of jitter with waits that are the same in every run.
    public func seeded(_ seed: UInt64) -> RetryJitter {
        RetryJitter(kind: kind, seed: seed)
    }

    func applied(to wait: Duration, attempt: Int) -> Duration {
        switch kind {
        case .none: wait
        case .equal: wait / 2 + wait / 2 * fraction(attempt)
        case .full: wait * fraction(attempt)
        }
    }

    private func fraction(_ attempt: Int) -> Double {
        guard let seed = seed ?? Stages.current?.random() else { return .random(in: 0...1) }
        var numbers = StableRandom(seed: seed, after: attempt &- 1)
        return numbers.fraction()
    }
}
