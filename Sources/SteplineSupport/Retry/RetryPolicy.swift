package import Foundation

/// How often failed work is tried again, how long it waits in between, and for which errors.
///
///     step.retrying(.exponential(attempts: 5, base: .seconds(1)))
public struct RetryPolicy: Sendable {
    /// How many attempts there are in all, the first one included.
    ///
    /// A workflow counts 65,535 failures of a task at the most: with more attempts than that it never gives up.
    package let attempts: Int

    private let base: Duration
    private let factor: Double

    /// The longest wait; a server that asks for a longer one ends the attempts.
    package let cap: Duration

    private let jitter: RetryJitter
    private let condition: @Sendable (any Error) -> Bool

    /// One attempt.
    public static let none = RetryPolicy(
        attempts: 1, base: .zero, factor: 1, cap: .zero, jitter: .none, condition: { _ in false }
    )

    /// Waits `base`, then `base × factor`, then `base × factor²` and so on up to `cap`, each changed by `jitter`.
    ///
    /// `condition` says which errors are worth another attempt; by default ``isTransient(_:)``.
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

    /// Waits equally long before each further attempt.
    ///
    /// A server that asks for a wait longer than `cap`, by default a minute, ends the attempts.
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

    /// The same attempts for the same errors, without a wait unless an error asks for one.
    package var withoutWaits: RetryPolicy {
        RetryPolicy(
            attempts: attempts, base: .zero, factor: 1, cap: cap, jitter: .none, condition: condition)
    }

    /// How long to wait after `attempt`, counted from 1, failed with `error`; nil if it was the last.
    ///
    /// The wait is never shorter than what the error asks for (``RetryAdvising``), and nil if that is longer
    /// than ``cap``. `now` is what a date in the error's advice is compared with.
    package func delay(afterAttempt attempt: Int, failedWith error: any Error, now: Date) -> Duration? {
        guard attempt < attempts, !(error is CancellationError), condition(error) else { return nil }
        let wait = jitter.applied(to: backoff(afterAttempt: attempt), attempt: attempt)
        guard let advice = retryAdvice(in: error)?.retryAfter else { return wait }
        let asked = advice.duration(from: now)
        return asked > cap ? nil : max(wait, asked)
    }

    private func backoff(afterAttempt attempt: Int) -> Duration {
        // In floating point, where a large exponent gives infinity and not a trap.
        let seconds = base.inSeconds * pow(factor, Double(max(attempt, 1) - 1))
        guard seconds > 0 else { return .zero }
        return seconds < cap.inSeconds ? .seconds(seconds) : max(cap, .zero)
    }
}

extension Duration {
    /// The components, which trap for what is beyond their range: there those of the farthest they can tell.
    package var boundedComponents: (seconds: Int64, attoseconds: Int64) {
        let limit = Duration.seconds(Int64.max)
        return max(min(self, limit), .zero - limit).components
    }

    /// The same length as a number of seconds.
    package var inSeconds: Double {
        let (seconds, attoseconds) = boundedComponents
        return Double(seconds) + Double(attoseconds) * 1e-18
    }
}
