public import struct Foundation.Date

/// An error that knows whether another attempt can help, and when.
public protocol RetryAdvising: Error {
    /// Whether the same work may succeed if it is done again.
    var isTransient: Bool { get }

    /// How long to wait at least, where the other side has said so.
    var retryAfter: RetryAfter? { get }
}

extension RetryAdvising {
    /// No wish.
    public var retryAfter: RetryAfter? { nil }
}

/// When a server wants to be asked again: in so many seconds, or from a date on.
public enum RetryAfter: Sendable, Hashable, Codable {
    /// After this time.
    case delay(Duration)
    /// Not before this date.
    case date(Date)

    func duration(from now: Date) -> Duration {
        switch self {
        case .delay(let delay): max(delay, .zero)
        case .date(let date):
            // Within what a duration can hold; also where the date is no number.
            .seconds(max(0, min(date.timeIntervalSince(now), 1e18)))
        }
    }
}

/// The advice of the error itself, or of the first among its causes that gives any.
package func retryAdvice(in error: any Error) -> (any RetryAdvising)? {
    var cause: (any Error)? = error
    while let error = cause {
        if let advice = error as? any RetryAdvising { return advice }
        cause = (error as? any ErrorWithCause)?.underlying
    }
    return nil
}
