import Foundation
import SteplineTesting

/// Simulates the service on this machine, with responses from a folder.
struct FixtureServer {
    /// The server, which stops when it is released.
    let server: LoopbackServer

    init(folder: URL) throws {
        server = try LoopbackServer()
        server.route("/v1/search") { request in
            let name = Self.item("name", of: request) ?? ""
            // The service answers an unknown name with an empty object.
            return Self.answer(in: folder.appending(path: "cities"), named: name.lowercased())
                ?? .text("{}", type: "application/json")
        }
        server.route("/v1/forecast") { request in
            let place = ["latitude", "longitude"].compactMap { Self.item($0, of: request) }
            return Self.answer(in: folder.appending(path: "forecasts"), named: place.joined(separator: ","))
                ?? .text(#"{"error": true, "reason": "no forecast"}"#, type: "application/json", status: 400)
        }
    }

    var service: WeatherService {
        WeatherService(search: server.url("/v1/search"), forecast: server.url("/v1/forecast"))
    }

    private static func item(_ name: String, of request: LoopbackRequest) -> String? {
        URLComponents(string: request.target)?.queryItems?.first { $0.name == name }?.value
    }

    private static func answer(in folder: URL, named name: String) -> LoopbackResponse? {
        guard !name.utf8.contains(UInt8(ascii: "/")),
            let bytes = try? Data(contentsOf: folder.appending(path: "\(name).json"))
        else { return nil }
        return .data(bytes, type: "application/json")
    }
}
