public import SteplineSupport

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// How an attempt at a request ended, for reactors.
public struct URLTaskResult: Sendable {
    /// The reply, or the error.
    public let result: Result<URLReply, any Error>

    /// The response, also that of a refused status.
    public var response: URLResponse? {
        switch result {
        case .success(let reply): reply.response
        case .failure(let error): (error as? RequestError)?.response
        }
    }

    /// The status, also a refused one.
    public var statusCode: Int? { (response as? HTTPURLResponse)?.statusCode }

    /// The error, if it failed.
    public var error: (any Error)? {
        if case .failure(let error) = result { error } else { nil }
    }

    /// When the server wants to be asked again, if it said so.
    public var retryAfter: RetryAfter? { RetryAfter(response) }
}
