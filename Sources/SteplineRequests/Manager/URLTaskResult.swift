public import SteplineSupport

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// The outcome of an attempt at a request, for reactors.
public struct URLTaskResult: Sendable {
    /// The reply or the error.
    public let result: Result<URLReply, any Error>

    /// The response, including that of a failed status.
    public var response: URLResponse? {
        switch result {
        case .success(let reply): reply.response
        case .failure(let error): (error as? RequestError)?.response
        }
    }

    /// The status, including a failed one.
    public var statusCode: Int? { (response as? HTTPURLResponse)?.statusCode }

    /// The error; nil for a success.
    public var error: (any Error)? {
        if case .failure(let error) = result { error } else { nil }
    }

    /// The time after which the server accepts another request, if the server named one.
    public var retryAfter: RetryAfter? { RetryAfter(response) }
}
