import Foundation
import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A transport that reports its exchanges to a request's monitors.
struct ReportingTransport: Transport {
    let transport: any Transport
    let reporter: URLTaskReporter

    func send(
        _ request: URLRequest, body: TransportBody, _ receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> Subscription {
        reporter.sends(request)
        return transport.send(request, body: body, notifyingReporter(receive))
    }

    private func notifyingReporter(
        _ receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> @Sendable (TransportEvent) -> Void {
        { event in
            if case .response(let response) = event { reporter.received(response) }
            receive(event)
        }
    }
}

extension ReportingTransport: TunedTransport {
    package var connectionsPerHost: Int? { (transport as? any TunedTransport)?.connectionsPerHost }

    package func send(
        _ request: URLRequest, body: TransportBody, terms: TransportTerms,
        _ receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> Subscription {
        // Without support for terms, the terms are dropped.
        guard let tuned = transport as? any TunedTransport else { return send(request, body: body, receive) }
        reporter.sends(request)
        // The reporter reads responses from the events.
        var terms = terms
        terms.onResponse = nil
        return tuned.send(request, body: body, terms: terms, notifyingReporter(receive))
    }

    package func tuned(by tls: TLSOptions) -> (any Transport)? {
        (transport as? any TunedTransport)?.tuned(by: tls).map {
            ReportingTransport(transport: $0, reporter: reporter)
        }
    }
}
