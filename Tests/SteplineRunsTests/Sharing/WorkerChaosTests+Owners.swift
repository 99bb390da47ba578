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

/// Harm to the owners of runs while workers continue.
extension WorkerChaosTests {
    @Test(.soakOnly, arguments: Chaos.seeds())
    func
        `DR-13, DR-43, DR-71: owners are killed with -9 at any change they make, and the next goes on with the same workers`(
            seed: UInt64
        ) async throws
    {
        let random = RandomRun(seed: seed, count: 30)
        let server = try await TestServer.shared()
        let url = try await server.newDatabase()
        let isLeftToWorkers = seed % 2 == 1
        let begun = Recorder<String>()
        let (owned, reported) = (OneShot<Void>(), Recorder<String>())
        let workers = try (0..<2).map { _ in
            let store = try PostgreSQLRunStore(url, lease: .seconds(isLeftToWorkers ? 4 : 15))
            return StepWorker(of: "random", in: store, WorkerSettings(slots: 2)) { _ in
                try random.make { begun.record($0) }
            } tell: { news in
                if case .owns = news { owned.fulfill(()) }
                reported.record(Self.words(for: news))
            }
        }
        let working = workers.map { worker in Task { try await worker.run() } }
        var numbers = StableRandom(seed: seed)
        var (kills, known) = (0, [String: StepRecord]())
        for _ in 0..<2 {
            let cut = [numbers.below(2) == 0 ? "before" : "after", "\(1 + numbers.below(8))"]
            let owner = try await KilledProgram.run([url, "\(seed)", "own"] + cut)
            if owner.wasKilled { kills += 1 }
            known.merge(try steps(url).filter { $0.value.state.isOver }) { first, _ in first }
        }
        let before = begun.values.count
        if isLeftToWorkers, try PostgreSQLRunStore(url).run(Self.id)?.ending == nil { await owned.value }
        let workflow = try random.make()
        do {
            _ = try await workflow.run(
                in: PostgreSQLRunStore(url), key: "k", retryingFailures: false, input: nil,
                ifInProgress: .wait, on: .workers
            ) { _ in }
        } catch let error as WorkflowError where error.code == .tasksFailed {}
        for worker in workers { worker.leave() }
        for task in working { try await task.value }
        #expect(kills > 0, "seed \(seed)")

        let ended = try steps(url)
        for (name, step) in known where ended[name] != step {
            Issue.record("seed \(seed): \(name) was \(step), and is \(String(describing: ended[name]))")
        }
        let late = begun.values.dropFirst(before)
        for name in known.keys where late.contains(Substring(name).lastPart) {
            let eventLog = reported.values.filter { $0.contains(" \(name) ") }
            Issue.record("seed \(seed): \(name) was run after its end was kept: \(eventLog)")
        }
        // One that is taken for dead, on a busy machine, may have run what others run again.
        let isWhole = !reported.values.contains("lost")
        try await expectPlain(
            random, in: url, isWhole ? begun.values : nil, "seed \(seed): \(reported.values)")
        try await Chaos.check(url, seed, on: server)
    }

    private static func words(for news: WorkerNews) -> String {
        switch news {
        case .began(let claim): "began \(claim.offer.step) \(claim.id) attempt \(claim.offer.attempt)"
        case .ended(let step, let isRefused):
            "ended \(step.claim.offer.step) \(step.claim.id) refused \(isRefused)"
        case .returned(let claim, _): "handed back \(claim.offer.step) \(claim.id)"
        case .lost: "lost"
        case .owns: "owns"
        case .owned: "owned"
        case .cannotOwn(_, let reason): "can't own: \(reason)"
        case .unknown, .joined, .left: "\(news)"
        }
    }

    /// Demands that what is kept of a run is what a plain one keeps, and, of the bodies that were run, that each was so
    /// once.
    private func expectPlain(_ random: RandomRun, in url: String, _ bodies: [String]?, _ words: String)
        async throws
    {
        let expected = Recorder<String>()
        let memory = MemoryRunStore()
        let plain = try random.make { expected.record($0) }
        do { try await plain.run(in: memory, key: "k") } catch let error as WorkflowError
            where error.code == .tasksFailed
        {}
        let found = try Chaos.kept(of: Self.id, in: PostgreSQLRunStore(url))
        let reference = try Chaos.kept(of: Self.id, in: memory)
        Chaos.expect(found, as: reference, words)
        #expect(found.count == reference.count, "\(words)")
        if let bodies { #expect(bodies.sorted() == expected.values.sorted(), "\(words)") }
    }
}

extension StepState {
    fileprivate var isOver: Bool { [.finished, .failed, .cancelled].contains(self) }
}

extension Substring {
    /// The task's name within its subworkflow.
    fileprivate var lastPart: String { split(separator: "/").last.map(String.init) ?? String(self) }
}
