import Foundation
import SteplineRequests
import SteplineSupport
import SteplineTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A transport that does nothing by itself: the test says what happens in each exchange, and when.
final class FakeTransport: Transport {
    struct Exchange: Sendable {
        let request: URLRequest
        let body: TransportBody
        let tell: @Sendable (TransportEvent) -> Void
        let stopped: Recorder<Void>

        func respond(_ status: Int = 200, _ headers: [String: String] = [:], _ body: String? = nil) {
            let url = request.url ?? URL(filePath: "/")
            if let response = HTTPURLResponse(
                url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers)
            {
                tell(.response(response))
            }
            if let body {
                tell(.bytes(Data(body.utf8)))
                tell(.ended(nil))
            }
        }
    }

    private let exchanges = Recorder<Exchange>()

    var count: Int { exchanges.count }

    func send(
        _ request: URLRequest, body: TransportBody, _ receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> Subscription {
        let stopped = Recorder<Void>()
        exchanges.record(Exchange(request: request, body: body, tell: receive, stopped: stopped))
        return Subscription { stopped.record(()) }
    }

    /// The exchange of that number, from 1, as soon as it is there.
    func exchange(_ number: Int) async -> Exchange {
        await exchanges.waitForCount(number)
        return exchanges.values[number - 1]
    }
}
