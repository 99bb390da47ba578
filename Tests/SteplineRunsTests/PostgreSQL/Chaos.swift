import Foundation
import SteplinePostgreSQL
import SteplineRunsTesting
import SteplineSupport
import TestServers
import TestSupport
import Testing

@testable import SteplineRuns

/// Helpers of the suites that disturb runs by a seed.
enum Chaos {
    /// Returns the usual number of seeds, or as many as soak asks for if those are more; no more than `most`.
    static func seeds(_ usual: UInt64 = 1, most: UInt64 = .max) -> [UInt64] {
        (0..<min(max(usual, Chance.givenChaosSeeds ?? 0), most)).map { Chance.seed &+ $0 }
    }

    /// Returns the numbers of the writes at which a process is killed: two early ones, or all in soak, where the test
    /// ends at the first write that a run doesn't reach.
    static func writes(_ seed: UInt64) -> [Int] {
        if Chance.isSoak { return Array(1..<200) }
        var random = StableRandom(seed: seed)
        return [1 + random.below(3), 4 + random.below(3)]
    }

    /// A store whose connections are cut.
    static func store(_ url: String, after proxy: CuttingProxy, on server: TestServer) throws
        -> PostgreSQLRunStore
    {
        let database = url.split(separator: "?")[0].split(separator: "/").last.map(String.init) ?? ""
        let address = server.url(database, folder: proxy.folder)
        // Making the store isn't tried again by itself.
        for _ in 0..<200 { if let store = try? PostgreSQLRunStore(address) { return store } }
        return try PostgreSQLRunStore(address)
    }

    /// Demands that all tasks have ended as they do in a run that isn't disturbed.
    static func expect(_ found: [String: String], as expected: [String: String], _ words: String) {
        for (name, state) in expected where found[name] != state {
            Issue.record("\(words): \(name) is \(found[name] ?? "nothing"), and not \(state)")
        }
    }

    /// How the steps of a run stand that have come to something, with their results, by name.
    static func kept(of id: RunID, in store: any RunStore) throws -> [String: String] {
        var kept: [String: String] = [:]
        for (name, step) in try store.stepsByName(of: id) where step.state != .pending {
            let result = try store.result(of: name, in: id).map { try text(of: $0, of: id, in: store) }
            kept[name] = "\(step.state), attempt \(step.attempt) \(result ?? step.failure?.message ?? "")"
        }
        return kept
    }

    /// The text of a result, for a map that of its elements' results, in order of their values: a growing map finds its
    /// elements in an order that depends on timing.
    private static func text(of data: Data, of id: RunID, in store: any RunStore) throws -> String {
        let elements = try ElementNames.read(data).map { names in
            try store.results(of: names, in: id).map { data in
                String(decoding: GrownBytes.result(in: data ?? Data()), as: UTF8.self)
            }
        }
        let text = elements.map { "[\($0.joined(separator: ","))]" } ?? String(decoding: data, as: UTF8.self)
        let numbers = try? JSONDecoder().decode([Int].self, from: Data(text.utf8))
        return numbers.map { "\($0.sorted())" } ?? text
    }

    /// Checks a store after a run in it has ended.
    static func check(_ url: String, _ seed: UInt64, on server: TestServer) async throws {
        let store: any RunStore = try .postgreSQL(url)
        let id = RunID("random", key: "k")
        let steps = try store.stepsByName(of: id)
        let run = try #require(try store.run(id))
        #expect(!run.isOpen, "seed \(seed): somebody has it open")
        #expect(run.finished == steps.values.count { $0.state == .finished }, "seed \(seed): finished steps")
        #expect(run.failed == steps.values.count { $0.state == .failed }, "seed \(seed): failed steps")
        #expect(!steps.values.contains { $0.state == .running || $0.state == .waiting }, "seed \(seed)")
        // Fails if a row is locked.
        try await server.sql(
            "SELECT FROM stepline.runs FOR UPDATE NOWAIT; SELECT FROM stepline.steps FOR UPDATE NOWAIT",
            in: url)
        #expect(try await server.sql("SELECT step FROM stepline.offers", in: url) == [], "seed \(seed)")
    }
}
