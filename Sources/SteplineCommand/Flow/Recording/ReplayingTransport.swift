import Foundation
import SteplineRequests
import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A transport without a network: answers requests from a recording.
final class ReplayingTransport: TunedTransport {
    private let answers: RecordedAnswers

    init(_ answers: RecordedAnswers) { self.answers = answers }

    let connectionsPerHost: Int? = nil

    /// Returns itself, since no TLS is used.
    func tuned(by tls: TLSOptions) -> (any Transport)? { self }

    func send(
        _ request: URLRequest, body: TransportBody, terms: TransportTerms,
        _ receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> Subscription {
        send(request, body: body, receive)
    }

    func send(
        _ request: URLRequest, body: TransportBody, _ receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> Subscription {
        let asked = RecordedExchange.Request(request, body: body, hiding: answers.secrets)
        let isStopped = Locked(false)
        let answer = answers.answer(to: asked)
        DispatchQueue.global().async {
            for event in Self.events(answer, request) where !isStopped.withLock({ $0 }) { receive(event) }
        }
        return Subscription { isStopped.withLock { $0 = true } }
    }

    private static func events(_ answer: RecordedExchange.Answer?, _ request: URLRequest) -> [TransportEvent]
    {
        guard let answer else {
            return [
                .ended(RequestError(.unavailable, "this request isn't in the recording", request: request))
            ]
        }
        var events: [TransportEvent] = []
        if let status = answer.status, let url = request.url {
            // Don't delay retries of recorded responses.
            let headers = answer.headers.filter { $0.name.lowercased() != "retry-after" }
            let response = HTTPURLResponse(
                url: url, statusCode: status, httpVersion: "HTTP/1.1",
                headerFields: Dictionary(
                    headers.map { ($0.name, $0.value) }, uniquingKeysWith: { "\($0), \($1)" }))
            if let response { events.append(.response(response)) }
            if !answer.body.isEmpty { events.append(.bytes(answer.body)) }
        }
        let failure = answer.failure.map {
            URLError(code($0.code) ?? .unknown, userInfo: [NSLocalizedDescriptionKey: $0.text])
        }
        return events + [.ended(failure)]
    }

    /// Returns the error code of a number; nil if the platform doesn't know it.
    private static func code(_ number: Int) -> URLError.Code? { URLError.Code(rawValue: number) }
}
