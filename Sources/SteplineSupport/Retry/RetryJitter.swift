/// The random change of a delay, which prevents many clients from returning at the same time.
public struct RetryJitter: Sendable, Hashable {
    private enum Kind { case none, equal, full }

    private let kind: Kind
    private let seed: UInt64?

    /// Leaves the delay unchanged.
    public static let none = RetryJitter(kind: .none, seed: nil)

    /// Selects a delay between half of the computed one and all of it.
    public static let equal = RetryJitter(kind: .equal, seed: nil)

    /// Selects a delay between zero and the computed one.
    public static let full = RetryJitter(kind: .full, seed: nil)

    /// Returns the same jitter with delays that are equal in each run.
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
        // The generator skips the numbers of earlier attempts, so each attempt has its own number.
        var numbers = StableRandom(seed: seed, after: attempt &- 1)
        return numbers.fraction()
    }
}
