public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// What came of a request: bytes, and the last response.
public struct URLReply: Sendable {
    /// The body.
    public let data: Data
    /// The response, where redirects have led.
    public let response: URLResponse

    init(_ result: TransferResult<Data>) {
        data = result.value
        response = result.response
    }

    /// The status; nil if it isn't a response of HTTP.
    public var statusCode: Int? { (response as? HTTPURLResponse)?.statusCode }
}
