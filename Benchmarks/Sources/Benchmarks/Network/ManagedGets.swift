import Foundation
import Stepline

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

enum ManagedGets: Benchmark {
    static let name = "managed-gets"
    static let summary = "2,000 small GETs through a URLTaskManager, beside the same requests without it"

    static func run() throws -> [Finding] {
        let server = try NetworkServer()
        let url = server.url("/small")
        let session = URLSession(configuration: .default)
        let own = URLTaskManager("own")
        let overSession = URLTaskManager("session", configuration: .default)
        return [1, 16].flatMap { width in
            let duel = Duel(
                units: Array(repeating: SmallGets.count, count: 3),
                [
                    {
                        SmallGets.fetch(width, of: SmallGets.count) {
                            _ = try await overSession.data(from: url)
                        }
                    },
                    { SmallGets.fetch(width, of: SmallGets.count) { _ = try await session.data(from: url) } },
                    { SmallGets.fetch(width, of: SmallGets.count) { _ = try await own.data(from: url) } },
                ])
            let title = width == 1 ? "one after the other" : "\(width) at once"
            return [
                Finding(
                    "over URLSession, \(title)", duel.ratios[1], "of bare URLSession", bound: 1.1,
                    rival: "bare URLSession, µs a GET", rivalValue: duel.medians[1] / 1000),
                Finding(
                    "over the default transport, \(title)", duel.medians[2] / duel.medians[1],
                    "of bare URLSession", bound: 1.05,
                    rival: "bare URLSession, µs a GET", rivalValue: duel.medians[1] / 1000),
            ]
        }
    }
}
