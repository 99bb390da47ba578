import Foundation
import RunsTestSupport
import SteplinePostgreSQL
import SteplineRunsTesting
import SteplineSupport
import SteplineWorkflow
import TestServers
import TestSupport
import Testing

@testable import SteplineRuns

/// Runs by workers to whom everything happens that may: each ends as one that isn't disturbed.
@Suite(
    .timeLimit(.minutes(Chance.isSoak ? 60 : 5)), .enabled(if: TestServer.isNeeded, "\(TestServer.absence)"))
struct WorkerChaosTests {
    static let id = RunID("random", key: "k")

    /// Runs a workflow whose steps workers of this process run; each has a store of its own.
    func share(
        _ random: RandomRun, workers count: Int, in store: () throws -> PostgreSQLRunStore,
        body: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws -> Workflow {
        let workflow = try random.make()
        do {
            try await WorkersBeside.run(workflow, in: store, workers: count) { try random.make(body) }
        } catch let error as WorkflowError where error.code == .tasksFailed {}
        return workflow
    }

    /// Demands that a run has ended as a plain one does, which is run for it.
    func expect(_ workflow: Workflow, as random: RandomRun, _ words: String) async throws {
        let plain = try random.make()
        _ = await plain.outcome()
        Chaos.expect(RandomRun.states(workflow), as: RandomRun.states(plain), words)
    }

    func steps(_ url: String) throws -> [String: StepRecord] {
        let store: any RunStore = try PostgreSQLRunStore(url)
        return try store.stepsByName(of: Self.id)
    }

    @Test(arguments: Chaos.seeds())
    func
        `DR-42, DR-71: worker processes are killed with -9 in the middle of bodies, and the run ends as the plain one`(
            seed: UInt64
        ) async throws
    {
        let random = RandomRun(seed: seed, count: 30)
        let server = try await TestServer.shared()
        let url = try await server.newDatabase()
        let processes = await WorkerProcess.start(
            url, seed: seed, [["work", "2"], ["work", "3"], ["work", "1000000"]])
        let workflow = try await share(random, workers: 0) { try PostgreSQLRunStore(url) }
        var kills = 0
        for process in processes {
            process.leave()
            if try await process.ended().wasKilled { kills += 1 }
        }
        try await expect(workflow, as: random, "seed \(seed), \(kills) killed")
        #expect(kills > 0, "seed \(seed)")
        try await Chaos.check(url, seed, on: server)
    }

    @Test(arguments: Chaos.seeds())
    func
        `DR-11, DR-42, DR-71: a worker that is stopped for longer than its lease changes nothing when it wakes up`(
            seed: UInt64
        ) async throws
    {
        let random = RandomRun(seed: seed, count: 30)
        let server = try await TestServer.shared()
        let url = try await server.newDatabase()
        try await server.advanceClock(of: url)
        let owner = Task { try await share(random, workers: 0) { try PostgreSQLRunStore(url) } }
        let sleeper = await WorkerProcess(url, seed: seed, ["doze", "\(1 + seed % 3)"])
        #expect(sleeper.number > 0, "seed \(seed)")
        let other = try StepWorker(of: "random", in: PostgreSQLRunStore(url), WorkerSettings(slots: 2)) { _ in
            try random.make()
        }
        let working = Task { try await other.run() }
        let workflow = try await owner.value
        let ended = try steps(url)
        sleeper.wake()
        let slept = try await sleeper.ended()
        // Other workers have its steps by now.
        #expect(slept.hasReportedLoss && slept.bodies.isEmpty, "seed \(seed): \(slept)")
        other.leave()
        try await working.value
        #expect(try steps(url) == ended, "seed \(seed)")
        try await expect(workflow, as: random, "seed \(seed)")
        try await Chaos.check(url, seed, on: server)
    }

    @Test(arguments: Chaos.seeds())
    func `DR-44, DR-71: connections of owner and workers are cut anywhere, which changes nothing`(
        seed: UInt64
    )
        async throws
    {
        let random = RandomRun(seed: seed, count: 24)
        let server = try await TestServer.shared()
        let url = try await server.newDatabase()
        let numbers = Locked(StableRandom(seed: seed))
        let proxy = try CuttingProxy(before: server.folder) {
            numbers.withLock { 100 + $0.below($0.below(4) == 0 ? 3_000 : 40_000) }
        }
        defer { proxy.stop() }
        let workflow = try await share(random, workers: 3) {
            try Chaos.store(url, after: proxy, on: server)
        }
        #expect(proxy.cuts > 0, "seed \(seed)")
        try await expect(workflow, as: random, "seed \(seed), \(proxy.cuts) cuts")
        try await Chaos.check(url, seed, on: server)
    }

    @Test
    func `DR-44, DR-71: a server is killed under workers and comes back, and nothing is lost or doubled`()
        async throws
    {
        try await MortalServer.use { server in
            for seed in Chaos.seeds() { try await runWhileKilled(seed, on: server) }
        }
    }

    private func runWhileKilled(_ seed: UInt64, on server: TestServer) async throws {
        let random = RandomRun(seed: seed, count: 24)
        let url = try await server.newDatabase()
        var numbers = StableRandom(seed: seed)
        let fatal = Set((0..<2).map { _ in 1 + numbers.below(12) })
        let begun = Locked((count: 0, deaths: [Task<Void, any Error>]()))
        let workflow = try await share(random, workers: 3) {
            try PostgreSQLRunStore(url)
        } body: { _ in
            begun.withLock { begun in
                begun.count += 1
                guard fatal.contains(begun.count) else { return }
                let before = begun.deaths.last
                begun.deaths.append(
                    Task {
                        try await before?.value
                        server.kill()
                        try await server.start()
                    })
            }
        }
        for death in begun.withLock({ $0.deaths }) { try await death.value }
        try await expect(workflow, as: random, "seed \(seed), killed at bodies \(fatal.sorted())")
        try await Chaos.check(url, seed, on: server)
    }

    @Test
    func `DR-42, DR-44: a server that started less than a lease ago expires no worker's lease`() async throws
    {
        let server = try await TestServer.shared()
        let url = try await server.newDatabase()
        // The server of the tests has not run for that long.
        let store = try PostgreSQLRunStore(url, lease: .seconds(86_400))
        let membership = try store.join(WorkerProfile(workflow: "pages", slots: 1))
        try await server.sql("UPDATE stepline.workers SET held_until = '2020-01-01'", in: url)
        let now = Date()
        let run = try store.open(RunID("pages", key: "k"), input: nil, as: RunOwner(since: now), at: now)
        try #require(run as? any SharedRun).sweep()
        #expect(try membership.beat(for: membership.lease) != nil)
        run.close()
        membership.leave()
    }
}
