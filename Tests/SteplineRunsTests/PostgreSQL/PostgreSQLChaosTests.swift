import Foundation
import RunsTestSupport
import SteplinePostgreSQL
import SteplineRuns
import SteplineRunsTesting
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import TestServers
import TestSupport
import Testing

/// Runs on a server to which everything happens that may: each ends as one that isn't disturbed, and nothing is done
/// twice.
@Suite(
    .timeLimit(.minutes(Chance.isSoak ? 60 : 5)), .enabled(if: TestServer.isNeeded, "\(TestServer.absence)"))
struct PostgreSQLChaosTests {
    /// The end of a random run in a store.
    private struct Ended {
        var states: [String: String] = [:]
        /// How often each body was run.
        var bodies: [String: Int] = [:]
        var error = ""
    }

    private func run(_ random: RandomRun, in store: (any RunStore)?) async throws -> Ended {
        let bodies = Locked<[String: Int]>([:])
        let workflow = try random.make { name in bodies.withLock { $0[name, default: 0] += 1 } }
        var ended = Ended()
        if let store {
            do { try await workflow.run(in: WatchedStore(store) { _, _ in }, key: "k") } catch let error
                as WorkflowError
                where error.code == .tasksFailed
            {} catch { ended.error = "\(error)" }
        } else {
            _ = await workflow.outcome()
        }
        ended.states = RandomRun.states(workflow)
        ended.bodies = bodies.withLock { $0 }
        return ended
    }

    /// Demands that a run has ended as one that wasn't disturbed, each body having been run once.
    private func expect(_ found: Ended, as expected: Ended, _ words: String) {
        #expect(found.error == expected.error, "\(words)")
        Chaos.expect(found.states, as: expected.states, words)
        for (name, count) in expected.bodies where found.bodies[name] != count {
            Issue.record("\(words): the body of \(name) was run \(found.bodies[name] ?? 0) times")
        }
    }

    @Test(arguments: Chaos.seeds())
    func `DR-44, DR-71: connections that are cut anywhere, also in commits, change nothing`(seed: UInt64)
        async throws
    {
        let server = try await TestServer.shared()
        let url = try await server.newDatabase()
        let random = RandomRun(seed: seed, count: 24)
        let numbers = Locked((numbers: StableRandom(seed: seed), isFirst: true))
        let proxy = try CuttingProxy(before: server.folder) {
            // The first one early, some while they are made, and most after a transaction or some.
            numbers.withLock { state in
                let isEarly = state.isFirst || state.numbers.below(4) == 0
                state.isFirst = false
                return 100 + state.numbers.below(isEarly ? 3_000 : 40_000)
            }
        }
        defer { proxy.stop() }
        let expected = try await run(random, in: nil)
        let store = try Chaos.store(url, after: proxy, on: server)
        let found = try await run(random, in: store)
        expect(found, as: expected, "seed \(seed), \(proxy.cuts) cuts")
        #expect(proxy.cuts > 0, "seed \(seed)")
        try await Chaos.check(url, seed, on: server)
    }

    @Test
    func
        `DR-44, DR-71: a server that is killed and comes back, also during commits, loses and doubles nothing`()
        async throws
    {
        try await MortalServer.use { server in
            for seed in Chaos.seeds() { try await runWhileKilled(seed, on: server) }
        }
    }

    private func runWhileKilled(_ seed: UInt64, on server: TestServer) async throws {
        var numbers = StableRandom(seed: seed)
        let random = RandomRun(seed: seed, count: 24)
        let expected = try await run(random, in: nil)
        let url = try await server.newDatabase()
        let kills = Set((0..<2).map { _ in 1 + numbers.below(6) })
        let delay = numbers.below(500)
        let starts = Locked<[Task<Void, any Error>]>([])
        let store = WatchedStore(try .postgreSQL(url)) { number, _ in
            guard kills.contains(number) else { return }
            let before = starts.withLock { $0.last }
            let death = Task {
                try await before?.value
                for _ in 0..<delay { await Task.yield() }
                server.kill()
                try await server.start()
            }
            starts.withLock { $0.append(death) }
        }
        let found = try await run(random, in: store)
        for start in starts.withLock({ $0 }) { try await start.value }
        expect(found, as: expected, "seed \(seed), killed at writes \(kills.sorted())")
        try await Chaos.check(url, seed, on: server)
    }

    // MARK: Processes

    /// The task states that a program prints; the printed elements of a map depend on what was repeated.
    private func states(_ lines: [String]) -> Set<String> {
        Set(lines.filter { $0.hasPrefix("state ") && !$0.contains("[k") })
    }

    @Test(arguments: Chaos.seeds(most: 3))
    func `DR-13, DR-18, DR-71: killed with -9 at any write, a run on a server goes on at once`(seed: UInt64)
        async throws
    {
        let server = try await TestServer.shared()
        let plain = try await KilledProgram.run([server.newDatabase(), "\(seed)"])
        let expected = states(plain.lines)
        #expect(!plain.wasKilled && expected.count > 20, "seed \(seed)")
        var kills = 0
        for number in Chaos.writes(seed) {
            var wasKilled = false
            for side in ["before", "after"] {
                let url = try await server.newDatabase()
                let first = try await KilledProgram.run([url, "\(seed)", side, "\(number)"])
                wasKilled = wasKilled || first.wasKilled
                kills += first.wasKilled ? 1 : 0
                // Its lease goes on for long; that its process is gone is seen at once.
                let second = try await KilledProgram.run([url, "\(seed)"])
                let found = states(second.lines)
                #expect(
                    found == expected,
                    "seed \(seed), killed \(side) write \(number): \(found.symmetricDifference(expected)) \(second.lines.filter { $0.hasPrefix("error") })"
                )
                try await server.drop(url)
            }
            if !wasKilled { break }
        }
        #expect(kills > 1, "seed \(seed)")
    }

    @Test(.soakOnly, arguments: Chaos.seeds())
    func
        `DR-11, DR-18, DR-71: an owner that is stopped for longer than its lease loses the run, and changes nothing later`(
            seed: UInt64
        ) async throws
    {
        let server = try await TestServer.shared()
        let url = try await server.newDatabase()
        let random = RandomRun(seed: seed, count: 30)
        let expected = try await run(random, in: nil)
        let woken = OneShot<[String]>()
        let process = Locked<Int32>(0)
        let stopped = OneShot<Void>()
        let sleeper = Task {
            let ended = try await KilledProgram.run([url, "\(seed)", "stop", "\(1 + seed % 2)"]) { line in
                guard let number = Int32(line.dropFirst("stopping ".count)) else { return }
                process.withLock { $0 = number }
                stopped.fulfill(())
            }
            // One that is over before it comes to that write is a failure, and no reason to wait.
            stopped.fulfill(())
            woken.fulfill(ended.lines)
        }
        await stopped.value
        let workflow = try random.make()
        do {
            try await workflow.run(in: PostgreSQLRunStore(url), key: "k", ifInProgress: .wait)
        } catch let error as WorkflowError where error.code == .tasksFailed {}
        let steps = try PostgreSQLRunStore(url).stepsByName(of: RunID("random", key: "k"))
        _ = process.withLock { Foundation.kill($0, SIGCONT) }
        let lines = await woken.value
        try await sleeper.value
        #expect(
            lines.contains { $0.contains("error store ownershipLost") }, "seed \(seed): \(lines.suffix(3))")
        #expect(
            try PostgreSQLRunStore(url).stepsByName(of: RunID("random", key: "k")) == steps, "seed \(seed)")
        let found = RandomRun.states(workflow)
        for (name, state) in expected.states where !name.contains("[k") {
            #expect(found[name] == state, "seed \(seed): \(name)")
        }
        try await Chaos.check(url, seed, on: server)
    }
}
