import Foundation
import Stepline
import SteplineTesting

/// Records of a catalogue that is parsed while it is downloaded, against its two halves by themselves.
enum StreamedRecords: Benchmark {
    static let name = "streamed-records"
    static let summary = "records of 30 MB of XML, parsed while they are downloaded over loopback"

    static let size = 30_000_000
    /// Of so many parts of the body the first comes by itself, the others when it is shown that records do.
    static let heldShare = 100

    static func run() throws -> [Finding] {
        let server = try NetworkServer()
        let url = server.url("/catalogue")
        let body = Data(catalogue(size: size))
        let firsts = FirstRecords()
        let duel = Duel(
            rounds: 7, units: [1, 1, 1],
            [
                { runBlocking { for try await _ in URLChunks(url) {} } },
                { runBlocking { try await count(XML.Stream(of: "item", in: body)) } },
                {
                    runBlocking {
                        let start = ContinuousClock.now
                        try await count(XML.Stream(of: "item", from: URLChunks(url))) {
                            firsts.add((ContinuousClock.now - start) / .nanoseconds(1))
                        }
                    }
                },
            ])
        let atFirst = shareAtFirst(server)
        let (download, parse, both) = (duel.medians[0], duel.medians[1], duel.medians[2])
        return [
            Finding("sent of the body, at most, when the first record comes", 100 * atFirst, "%", bound: 10),
            Finding(
                "time of the first record, of the download's", firsts.median / download, "times",
                bound: 0.1, rival: "the download by itself, ms", rivalValue: download / 1e6),
            Finding(
                "time of the whole, of the slower half's", both / max(download, parse), "times", bound: 1.1,
                rival: "parsing by itself, ms", rivalValue: parse / 1e6),
        ]
    }

    /// How much of the body had been sent when the first record came, from a server that sends no more until then.
    private static func shareAtFirst(_ server: NetworkServer) -> Double {
        let share = Recorder<Double>()
        let (held, rest) = (server.url("/held"), server.url("/rest"))
        runBlocking {
            try await count(XML.Stream(of: "item", from: URLChunks(held))) {
                share.record(1 / Double(heldShare))
                for try await _ in URLChunks(rest) {}
            }
        }
        return share.values.first ?? 1
    }

    private static func count(
        _ records: XML.Stream, first: @Sendable () async throws -> Void = {}
    ) async throws {
        var count = 0
        for try await _ in records {
            if count == 0 { try await first() }
            count += 1
        }
        guard count > 0 else { throw ChildFailed(task: name) }
    }

    /// How long each round's first record took.
    private final class FirstRecords: Sendable {
        private let times = Recorder<Double>()
        func add(_ time: Double) { times.record(time) }
        var median: Double { Benchmarks.median(times.values) }
    }
}
