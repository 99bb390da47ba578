import Foundation
public import SteplineSupport

extension RequestError {
    static let transientStatuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]
    static let idempotentMethods: Set<String> = ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"]

    /// Whether the same request may succeed if it is repeated.
    ///
    /// Always false for methods that aren't idempotent, such as `POST`: the server may have processed the request
    /// before the response was lost. A retry policy with its own condition can decide differently.
    public var isTransient: Bool {
        guard Self.idempotentMethods.contains(method.uppercased()) else { return false }
        switch code {
        case .status: return statusCode.map(Self.transientStatuses.contains) ?? false
        case .timedOut, .truncated: return true
        case .connection, .secureConnection: return underlying.map(RetryPolicy.isTransient) ?? false
        default: return false
        }
    }

    /// The time after which the server accepts another request.
    public var retryAfter: RetryAfter? { RetryAfter(response) }
}
