public import Foundation
public import SteplineSupport

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// The transmission of requests: URLSession, libcurl, or a test double.
public protocol Transport: Sendable {
    /// Sends one request and reports its events one at a time; `.ended` is the last.
    ///
    /// Redirects aren't followed: they are responses. Events come on the transport's threads, never on the caller's
    /// stack.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - body: The body.
    ///   - receive: The receiver, which must not block and must not call the transport.
    /// - Returns: A subscription whose cancellation stops the exchange. Later events may still come and must be
    ///   ignored.
    func send(
        _ request: URLRequest, body: TransportBody, _ receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> Subscription
}

/// The body of a request for a transport.
public enum TransportBody: Sendable {
    /// No body.
    case none
    /// Bytes in memory.
    case data(Data)
    /// The bytes of a file.
    case file(URL)
}

/// An event of an exchange.
public enum TransportEvent: Sendable {
    /// The number of sent bytes of the request's body, and their total.
    case sent(Int64, of: Int64)
    /// The response, before its body; a further response replaces an earlier one.
    case response(URLResponse)
    /// Bytes of the body.
    case bytes(Data)
    /// The end; with an error if the exchange failed.
    case ended((any Error)?)
}
