import Foundation
public import SteplineSupport

/// The back-off of a task before it runs again.
public struct Backoff: Sendable, Equatable {
    private let base: Duration
    private let factor: Double
    private let cap: Duration
    private let jitter: RetryJitter

    /// No back-off.
    public static let none = Backoff(base: .zero, factor: 1, cap: .zero, jitter: .none)

    /// Returns a back-off of `base`, then `base × factor` and so on up to `cap`, changed by `jitter`.
    public static func exponential(
        base: Duration = .milliseconds(500), factor: Double = 2, cap: Duration = .seconds(60),
        jitter: RetryJitter = .full
    ) -> Backoff {
        Backoff(base: base, factor: factor, cap: cap, jitter: jitter)
    }

    /// Returns the back-off before a requeue, counted from 1.
    func delay(beforeRequeue number: Int) -> Duration {
        guard self != .none else { return .zero }
        // The reactor's `maximumRequeues` is the limit, so the policy has none.
        let policy = RetryPolicy.exponential(
            attempts: .max, base: base, factor: factor, cap: cap, jitter: jitter, when: { _ in true })
        return policy.delay(afterAttempt: number, failedWith: BackoffAsked(), now: .distantPast) ?? .zero
    }
}

/// The error for asking a retry policy only for its delay.
private struct BackoffAsked: Error {}
