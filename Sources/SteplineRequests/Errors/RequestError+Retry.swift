import Foundation
public import SteplineSupport

extension RequestError {
    static let transientStatuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]
    static let idempotentMethods: Set<String> = ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"]

    /// Whether the same request may succeed if it is made again.
    ///
    /// Never for methods that aren't idempotent, such as `POST`: what was lost may have been the answer to a
    /// request that had its effect. A retry policy with a condition of its own can say otherwise.
    public var isTransient: Bool {
        guard Self.idempotentMethods.contains(method.uppercased()) else { return false }
        switch code {
        case .status: return statusCode.map(Self.transientStatuses.contains) ?? false
        case .timedOut, .truncated: return true
        case .connection, .secureConnection: return underlying.map(RetryPolicy.isTransient) ?? false
        default: return false
        }
    }

    /// When the server wants to be asked again.
    public var retryAfter: RetryAfter? { RetryAfter(response) }
}
