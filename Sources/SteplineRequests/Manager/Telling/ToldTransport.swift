import Foundation
import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A transport that reports its exchanges to a request's monitors.
struct ToldTransport: Transport {
    let transport: any Transport
    let story: URLTaskStory

    func send(
        _ request: URLRequest, body: TransportBody, _ receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> Subscription {
        story.sends(request)
        return transport.send(request, body: body, notifyingStory(receive))
    }

    private func notifyingStory(
        _ receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> @Sendable (TransportEvent) -> Void {
        { event in
            if case .response(let response) = event { story.received(response) }
            receive(event)
        }
    }
}

extension ToldTransport: TunedTransport {
    package var connectionsPerHost: Int? { (transport as? any TunedTransport)?.connectionsPerHost }

    package func send(
        _ request: URLRequest, body: TransportBody, terms: TransportTerms,
        _ receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> Subscription {
        // Without support for terms, the terms are dropped.
        guard let tuned = transport as? any TunedTransport else { return send(request, body: body, receive) }
        story.sends(request)
        return tuned.send(request, body: body, terms: terms, notifyingStory(receive))
    }

    package func tuned(by tls: TLSOptions) -> (any Transport)? {
        (transport as? any TunedTransport)?.tuned(by: tls).map { ToldTransport(transport: $0, story: story) }
    }
}
