package import SteplineSupport

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// Further parameters of an exchange, for transports that support them.
package struct TransportTerms: Sendable {
    /// The flow control of the response.
    package var flow: TransportFlow?
    /// The cookie jar; nil for none.
    package var cookies: CookieStorage?
    /// Receives the response instead of the event `.response`, without a `URLResponse`.
    ///
    /// A transport may ignore this closure. A transport that forwards events and reads responses must remove it.
    package var onResponse: (@Sendable (TransferResponse) -> Void)?
    /// Called for signs of life that aren't events.
    package var onStage: (@Sendable (TransportStage) -> Void)?

    package init(
        flow: TransportFlow? = nil, cookies: CookieStorage? = nil,
        onResponse: (@Sendable (TransferResponse) -> Void)? = nil,
        onStage: (@Sendable (TransportStage) -> Void)? = nil
    ) {
        self.flow = flow
        self.cookies = cookies
        self.onResponse = onResponse
        self.onStage = onStage
    }
}

/// The progress of an exchange before its response.
package enum TransportStage: Sendable {
    /// A connection was established, and the request is being sent.
    case connected
    /// A part of the response's head has arrived.
    case head
}

/// A transport that supports ``TransportTerms``.
package protocol TunedTransport: Transport {
    /// The default maximum of concurrent exchanges with one host; nil for no limit.
    var connectionsPerHost: Int? { get }

    /// Sends a request with further parameters.
    func send(
        _ request: URLRequest, body: TransportBody, terms: TransportTerms,
        _ receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> Subscription

    /// Returns the transport with other TLS settings; nil if it has none.
    func tuned(by tls: TLSOptions) -> (any Transport)?
}
