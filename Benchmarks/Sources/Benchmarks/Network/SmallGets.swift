import Foundation
import Stepline

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

enum SmallGets: Benchmark {
    static let name = "small-gets"
    static let summary = "2,000 small GETs over loopback"

    static let count = 2000

    static func run() throws -> [Finding] {
        let server = try NetworkServer()
        let url = server.url("/small")
        let session = URLSession(configuration: .default)
        return [1, 16].flatMap { width in
            let duel = Duel(
                units: [count, count, count],
                [
                    { fetch(width, of: count) { try await Pipeline.loading(url).run() } },
                    { fetch(width, of: count) { _ = try await session.data(from: url) } },
                    { curl(width, url) },
                ])
            let title = width == 1 ? "one after the other" : "\(width) at once"
            return [
                Finding(
                    "a GET through a pipeline, \(title)", duel.ratios[1], "of bare URLSession", bound: 1.1,
                    rival: "bare URLSession, µs a GET", rivalValue: duel.medians[1] / 1000),
                Finding(
                    "the same, beside curl", duel.medians[0] / 1000, "µs a GET",
                    rival: "one curl command for all, µs a GET",
                    rivalValue: hasCurl ? duel.medians[2] / 1000 : nil),
            ]
        }
    }

    private static let hasCurl = FileManager.default.isExecutableFile(atPath: "/usr/bin/curl")

    /// Has one curl command make all requests, so many at once.
    private static func curl(_ width: Int, _ url: URL) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/curl")
        let parallel = width > 1 ? ["-Z", "--parallel-max", "\(width)"] : []
        process.arguments =
            parallel + ["--no-progress-meter", "-o", "/dev/null", "\(url.absoluteString)?[1-\(count)]"]
        guard (try? process.run()) != nil else { return }
        process.waitUntilExit()
    }

    /// Makes requests and nothing else, for a profiler: `Benchmarks --child gets URL WIDTH COUNT`.
    static func measure(_ url: String, width: Int, of count: Int) {
        guard let url = URL(string: url), width > 0 else { return }
        var options = LoadOptions()
        options.perHost.connections = width
        fetch(width, of: count) { [options] in try await Pipeline.loading(url, options: options).run() }
    }

    /// Makes all requests, so many at once.
    static func fetch(_ width: Int, of count: Int, _ get: @escaping @Sendable () async throws -> Void) {
        runBlocking {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<width {
                    group.addTask {
                        for _ in 0..<(count / width) { try await get() }
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}
