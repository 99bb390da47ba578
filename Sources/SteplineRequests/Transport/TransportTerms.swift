package import SteplineSupport

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// What an exchange is made under, beside its request: for transports that can do more than send and receive.
package struct TransportTerms: Sendable {
    /// The tap by which the peer is held back.
    package var flow: TransportFlow?
    /// Where cookies are taken from and put; nil for none.
    package var cookies: CookieStorage?
    /// Told of signs of life that are no events.
    package var onStage: (@Sendable (TransportStage) -> Void)?

    package init(
        flow: TransportFlow? = nil, cookies: CookieStorage? = nil,
        onStage: (@Sendable (TransportStage) -> Void)? = nil
    ) {
        self.flow = flow
        self.cookies = cookies
        self.onStage = onStage
    }
}

/// How far an exchange has come before its response is there.
package enum TransportStage: Sendable {
    /// There is a connection, on which the request goes out now.
    case connected
    /// A part of the response's head has come.
    case head
}

/// A transport that knows terms.
package protocol TunedTransport: Transport {
    /// How many exchanges with one host are made at once unless a load says otherwise; nil for any number.
    var connectionsPerHost: Int? { get }

    /// Sends one request as `send` without terms does, under these.
    func send(
        _ request: URLRequest, body: TransportBody, terms: TransportTerms,
        _ receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> Subscription

    /// The same transport with other settings for TLS; nil if it has none.
    func tuned(by tls: TLSOptions) -> (any Transport)?
}
