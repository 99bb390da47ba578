public import Foundation
public import SteplineSupport

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// The way bytes come over the network: URLSession, libcurl, or a double in a test.
public protocol Transport: Sendable {
    /// Sends one request, and tells what comes of it: one event after the other, `.ended` last.
    ///
    /// Redirects aren't followed: they are responses. Events come on threads of the transport's, never on the
    /// caller's stack; `receive` must not block, and must not call the transport. Ending the subscription stops
    /// the exchange and lets go of it; events may still come, and are to be ignored.
    func send(
        _ request: URLRequest, body: TransportBody, _ receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> Subscription
}

/// The body of a request on its way.
public enum TransportBody: Sendable {
    /// None.
    case none
    /// Bytes in memory.
    case data(Data)
    /// The bytes of a file.
    case file(URL)
}

/// What happens in an exchange.
public enum TransportEvent: Sendable {
    /// So many bytes of the request's body have been sent, of so many.
    case sent(Int64, of: Int64)
    /// The response, before its body; one that follows another replaces it.
    case response(URLResponse)
    /// Bytes of the body.
    case bytes(Data)
    /// The end: without an error, unless the exchange failed.
    case ended((any Error)?)
}
