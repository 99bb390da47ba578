public import struct Foundation.Date

/// An error that advises whether and when another attempt may succeed.
public protocol RetryAdvising: Error {
    /// Whether the same work may succeed if it is repeated.
    var isTransient: Bool { get }

    /// The minimum delay, if the other side requested one.
    var retryAfter: RetryAfter? { get }
}

extension RetryAdvising {
    /// No requested delay.
    public var retryAfter: RetryAfter? { nil }
}

/// The time after which a server accepts another request: a delay or a date.
public enum RetryAfter: Sendable, Hashable, Codable {
    /// After this delay.
    case delay(Duration)
    /// Not before this date.
    case date(Date)

    /// Returns the delay from a date on.
    package func duration(from now: Date) -> Duration {
        switch self {
        case .delay(let delay): max(delay, .zero)
        case .date(let date):
            // Clamp to the range of a duration; this also handles a date that isn't a number.
            .seconds(max(0, min(date.timeIntervalSince(now), 1e18)))
        }
    }
}

/// Returns the advice of an error, or of the first cause with advice.
package func retryAdvice(in error: any Error) -> (any RetryAdvising)? {
    var cause: (any Error)? = error
    while let error = cause {
        if let advice = error as? any RetryAdvising { return advice }
        cause = (error as? any ErrorWithCause)?.underlying
    }
    return nil
}
