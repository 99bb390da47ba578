import Foundation
import Stepline

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A custom transport that answers known requests without a network.
struct Bundled: Transport {
    let pages: [String: String]

    func send(
        _ request: URLRequest, body: TransportBody, _ receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> Subscription {
        let answer = Task {
            guard let url = request.url, let page = pages[url.path()],
                let response = HTTPURLResponse(
                    url: url, statusCode: 200, httpVersion: nil,
                    headerFields: ["Content-Type": "application/json"])
            else { return receive(.ended(URLError(.fileDoesNotExist))) }
            receive(.response(response))
            receive(.bytes(Data(page.utf8)))
            receive(.ended(nil))
        }
        return Subscription { answer.cancel() }
    }
}

enum WriteATransport {
    static func run(_ url: URL, print: Print) async throws {
        let offline = URLTaskManager(transport: Bundled(pages: ["/cities": #"["Oslo", "Kyoto"]"#]))
        let cities = try await Pipeline.run {
            URLLoadStep(url, through: offline)
            JSONDecodeStep<[String]>()
        }
        print(cities.joined(separator: ", "))
    }
}
