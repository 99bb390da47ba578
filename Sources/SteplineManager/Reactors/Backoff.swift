import Foundation
public import SteplineSupport

/// How long a task waits before it is run again.
public struct Backoff: Sendable, Equatable {
    private let base: Duration
    private let factor: Double
    private let cap: Duration
    private let jitter: RetryJitter

    /// No wait.
    public static let none = Backoff(base: .zero, factor: 1, cap: .zero, jitter: .none)

    /// Waits `base`, then `base × factor` and so on up to `cap`, changed by `jitter`.
    public static func exponential(
        base: Duration = .milliseconds(500), factor: Double = 2, cap: Duration = .seconds(60),
        jitter: RetryJitter = .full
    ) -> Backoff {
        Backoff(base: base, factor: factor, cap: cap, jitter: jitter)
    }

    /// The wait before the n-th requeue, counted from 1.
    func delay(beforeRequeue number: Int) -> Duration {
        guard self != .none else { return .zero }
        let policy = RetryPolicy.exponential(
            attempts: .max, base: base, factor: factor, cap: cap, jitter: jitter, when: { _ in true })
        return policy.delay(afterAttempt: number, failedWith: BackoffAsked(), now: .distantPast) ?? .zero
    }
}

/// Stands for the failure when a policy is asked for its wait alone.
private struct BackoffAsked: Error {}
