import Foundation
import RunsTestSupport
import SteplinePostgreSQL
import SteplineRunsTesting
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import TestServers
import TestSupport
import Testing

@testable import SteplineRuns

/// Runs that are cancelled from elsewhere while workers die and sleep.
extension WorkerChaosTests {
    // Each has a dozen connections, of which a server has 500.
    private static let turns = Turns(20)

    @Test(.soakOnly, arguments: Chaos.seeds())
    func
        `DR-19, DR-71: a run is cancelled while workers are killed and stopped, and no body begins once the lease is over`(
            seed: UInt64
        ) async throws
    {
        try await Self.turns.take { try await cancel(seed) }
    }

    private func cancel(_ seed: UInt64) async throws {
        // Half of it nobody knows but the worker that has it cancelled, so that enough is left then.
        let random = RandomRun(seed: seed, count: 60)
        let server = try await TestServer.shared()
        let url = try await server.newDatabase()
        let lease = Duration.seconds(2)
        let store = try PostgreSQLRunStore(url, lease: lease)
        let owner = Task { try await share(random, workers: 0) { try PostgreSQLRunStore(url) } }
        let sleeper = await WorkerProcess(url, seed: seed, ["doze", "\(1 + seed % 4)"])
        #expect(sleeper.number > 0, "seed \(seed)")
        let processes = await WorkerProcess.start(url, seed: seed, [["work", "2"], ["work", "3"]])
        let last = 1 + Int(seed / 4 % 5)
        let begun = Locked<[(name: String, date: Date)]>([])
        let cancelled = OneShot<Void>()
        let isTakenBack = DispatchSemaphore(value: 0)
        let worker = StepWorker(of: "random", in: store, WorkerSettings(slots: 2)) { _ in
            try random.make { name in
                let number = begun.withLock { begun in
                    begun.append((name, Date()))
                    return begun.count
                }
                guard number == last else { return }
                _ = try? store.send(.cancel("enough"), to: Self.id, at: Date())
                cancelled.fulfill(())
                // Else all may be over before the owner has heard of it.
                isTakenBack.wait()
            }
        }
        let working = Task { try await worker.run() }
        await cancelled.value
        try await eventually(within: .seconds(240)) {
            try steps(url).values.contains { $0.state == .cancelled }
        }
        // The owner may take its time on a busy machine. Cleanups it offers from then on.
        try await eventually(within: .seconds(240)) {
            try await server.sql(
                """
                SELECT step FROM stepline.offers
                WHERE outcome IS NULL AND NOT to_stop AND step NOT LIKE '%\(RandomRun.cleanup)' LIMIT 1
                """, in: url
            ).isEmpty
        }
        // A worker hears of it with its next beat, and believes without one for no longer than its lease.
        let date = Date()
        let over = date + (lease / .seconds(1))
        isTakenBack.signal()
        do { _ = try await owner.value } catch is CancellationError {}
        let ended = try steps(url)

        // Until then what the sleeper has in hand is its own.
        try await eventually(within: .seconds(240)) {
            try !store.workers(of: "random").contains { $0.profile.process == sleeper.number }
        }
        sleeper.wake()
        func isLate(_ name: String, _ began: Date) -> Bool {
            began > over && !name.hasSuffix(RandomRun.cleanup)
        }
        var late = try await sleeper.ended().bodies.map { "\($0.name), by the sleeper" }
        for process in processes {
            process.leave()
            late += try await process.ended().bodies.filter { isLate($0.name, $0.began) }.map(\.name)
        }
        worker.leave()
        try await working.value
        late += begun.withLock { $0 }.filter { isLate($0.name, $0.date) }
            .map { "\($0.name), \($0.date.timeIntervalSince(date)) s after it was taken back" }
        #expect(late.isEmpty, "seed \(seed), cancelled at body \(last): \(begun.withLock { $0 })")
        // A failure from before counts more, as in every workflow.
        let hasFailed = ended.values.contains { $0.state == .failed }
        let ending = try store.run(Self.id)?.ending
        #expect(ending == .cancelled("enough") || (hasFailed && ending == .failed), "seed \(seed)")
        #expect(try steps(url) == ended, "seed \(seed)")
        try await Chaos.check(url, seed, on: server)
    }
}
