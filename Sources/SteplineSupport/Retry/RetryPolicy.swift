package import Foundation

/// The number of attempts, the delays between them, and the errors that are retried.
///
///     step.retrying(.exponential(attempts: 5, base: .seconds(1)))
public struct RetryPolicy: Sendable {
    /// The maximum number of attempts, including the first one.
    ///
    /// A workflow counts 65,535 failures of a task at the most: with more attempts than that it never gives up.
    package let attempts: Int

    private let base: Duration
    private let factor: Double

    /// The longest wait; a server that asks for a longer one ends the attempts.
    package let cap: Duration

    private let jitter: RetryJitter
    private let condition: @Sendable (any Error) -> Bool

    /// A single attempt.
    public static let none = RetryPolicy(
        attempts: 1, base: .zero, factor: 1, cap: .zero, jitter: .none, condition: { _ in false }
    )

    /// Returns a policy with delays of `base`, `base × factor`, `base × factor²` and so on up to `cap`, changed by
    /// `jitter`.
    ///
    /// - Parameters:
    ///   - attempts: The maximum number of attempts.
    ///   - base: The first delay.
    ///   - factor: The factor between two delays.
    ///   - cap: The longest delay. If a server asks for a longer one, no further attempt follows.
    ///   - jitter: The random change of a delay.
    ///   - condition: Returns whether an error is retried.
    /// - Returns: The policy.
    public static func exponential(
        attempts: Int = 3,
        base: Duration = .milliseconds(500),
        factor: Double = 2,
        cap: Duration = .seconds(60),
        jitter: RetryJitter = .full,
        when condition: @escaping @Sendable (any Error) -> Bool = RetryPolicy.isTransient
    ) -> RetryPolicy {
        RetryPolicy(
            attempts: attempts, base: base, factor: factor, cap: cap, jitter: jitter, condition: condition
        )
    }

    /// Returns a policy with equal delays.
    ///
    /// - Parameters:
    ///   - attempts: The maximum number of attempts.
    ///   - delay: The delay.
    ///   - cap: The longest delay that a server may request. If it asks for a longer one, no further attempt follows.
    ///   - jitter: The random change of a delay.
    ///   - condition: Returns whether an error is retried.
    /// - Returns: The policy.
    public static func constant(
        attempts: Int = 3,
        delay: Duration = .seconds(1),
        cap: Duration = .seconds(60),
        jitter: RetryJitter = .none,
        when condition: @escaping @Sendable (any Error) -> Bool = RetryPolicy.isTransient
    ) -> RetryPolicy {
        RetryPolicy(
            attempts: attempts, base: delay, factor: 1, cap: max(cap, delay), jitter: jitter,
            condition: condition
        )
    }

    /// The policy without delays, except for requested ones.
    package var withoutWaits: RetryPolicy {
        RetryPolicy(
            attempts: attempts, base: .zero, factor: 1, cap: cap, jitter: .none, condition: condition)
    }

    /// The decision about a failed attempt.
    package enum Decision: Sendable {
        /// Another attempt follows after the delay.
        case retry(after: Duration)
        /// No attempt follows; with the reason if attempts are left.
        case stop(String?)

        /// The delay; nil if no attempt follows.
        package var delay: Duration? { if case .retry(let delay) = self { delay } else { nil } }

        /// The reason why no attempt follows although attempts are left.
        package var reason: String? { if case .stop(let reason) = self { reason } else { nil } }
    }

    /// Returns the delay after a failed attempt; nil if no attempt follows.
    ///
    /// The wait is never shorter than what the error asks for (``RetryAdvising``), and nil if that is longer
    /// than ``cap``. `now` is what a date in the error's advice is compared with.
    package func delay(afterAttempt attempt: Int, failedWith error: any Error, now: Date) -> Duration? {
        decision(afterAttempt: attempt, failedWith: error, now: now).delay
    }

    /// Returns whether another attempt follows a failed one, like ``delay(afterAttempt:failedWith:now:)``.
    package func decision(afterAttempt attempt: Int, failedWith error: any Error, now: Date) -> Decision {
        guard attempt < attempts, !(error is CancellationError) else { return .stop(nil) }
        guard condition(error) else {
            return .stop(
                Self.isTransient(error) ? "the retry policy excludes the error" : "the error isn't transient")
        }
        let wait = jitter.applied(to: backoff(afterAttempt: attempt), attempt: attempt)
        guard let advice = retryAdvice(in: error)?.retryAfter else { return .retry(after: wait) }
        let asked = advice.duration(from: now)
        guard asked <= cap else {
            return .stop("the other side asks for a wait of \(asked), and the policy allows \(cap)")
        }
        return .retry(after: max(wait, asked))
    }

    private func backoff(afterAttempt attempt: Int) -> Duration {
        // Floating point: a large exponent gives infinity instead of a trap.
        let seconds = base.inSeconds * pow(factor, Double(max(attempt, 1) - 1))
        guard seconds > 0 else { return .zero }
        return seconds < cap.inSeconds ? .seconds(seconds) : max(cap, .zero)
    }
}

extension Duration {
    /// The components, clamped to the representable range, because `components` traps beyond it.
    package var boundedComponents: (seconds: Int64, attoseconds: Int64) {
        let limit = Duration.seconds(Int64.max)
        return max(min(self, limit), .zero - limit).components
    }

    /// The duration in seconds.
    package var inSeconds: Double {
        let (seconds, attoseconds) = boundedComponents
        return Double(seconds) + Double(attoseconds) * 1e-18
    }
}
