import Foundation
import RunsTestSupport
import SteplineRunsTesting
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import TestSupport
import Testing

@testable import SteplineRuns

@Suite(.timeLimit(.minutes(5)))
struct IdleWorkerTests {
    private let clock = ManualClock()
    private let lease = Duration.seconds(60)
    private let store: SharedMemoryStore

    init() { store = SharedMemoryStore(lease: lease, clock: clock) }

    /// The time until the lease of the only worker expires, in leases.
    private var left: Double {
        let left = store.board.withLock { $0.nextLeaseEnd }.map { $0 - store.now } ?? 0
        return left / (lease / .seconds(1))
    }

    private var settings: WorkerSettings { WorkerSettings(slots: 1, clock: clock) }

    /// Begins a run on workers, and returns once a step is offered.
    private func offer(_ workflow: Workflow) async throws -> Task<Void, any Error> {
        let store = store
        let owner = Task {
            _ = try await workflow.run(
                in: store, key: "k", retryingFailures: false, input: nil, on: .workers
            ) { _ in }
        }
        await eventually { !store.offers(of: RunID("idle", key: "k")).isEmpty }
        return owner
    }

    @Test func `DR-42: the first heartbeat of an idle worker makes its lease twice as long`()
        async throws
    {
        let worker = StepWorker(of: "idle", in: store, settings) { _ in Workflow("idle") }
        let working = Task { try await worker.run() }
        await clock.waitForScheduled(after: lease / 4)
        #expect(left == 1)
        clock.advance(by: lease / 4)
        // No runs are left to workers, so it waits for the length of a lease.
        await clock.waitForScheduled(after: lease)
        #expect(left == 2)
        worker.leave()
        try await working.value
    }

    @Test func `DR-42: an idle worker shortens its lease before it claims a step`() async throws {
        @Sendable func make() throws -> Workflow {
            let workflow = Workflow("idle")
            try workflow.add("a") {}
            return workflow
        }
        let ends = Locked<[WorkerSession.BodyEnd]>([])
        let session = try WorkerSession(
            store, "idle", settings, WorkedWorkflows { _, _ in try make() }, { _ in },
            news: {}, ended: { end in ends.withLock { $0.append(end) } })
        _ = try session.beat(asIdle: true)
        #expect(left == 2)
        let owner = try await offer(make())
        try session.claim()
        #expect(!session.isIdle && left == 1)
        try await untilIdle(session, ends)
        try await owner.value
        session.close()
    }

    @Test func `DR-51: a worker whose lease expired is idle once its old bodies have returned`() async throws
    {
        let gate = Gate()
        @Sendable func make() throws -> Workflow {
            let workflow = Workflow("idle")
            try workflow.add("a") { await gate.wait() }
            return workflow
        }
        let session = try WorkerSession(
            store, "idle", settings, WorkedWorkflows { _, _ in try make() }, { _ in },
            news: {}, ended: { _ in })
        let owner = try await offer(make())
        try session.claim()
        owner.cancel()
        store.board.withLock { $0.sweep(at: .infinity) }
        _ = try session.beat(asIdle: false)
        #expect(!session.isIdle && session.idleSince == nil)
        gate.open()
        try await eventually {
            try session.take([])
            return session.isIdle
        }
        #expect(session.idleSince != nil)
        session.close()
        _ = try? await owner.value
    }

    @Test func `DR-41: a worker that can't build a run passes its step, and tries again after a minute`()
        async throws
    {
        struct Away: Error {}
        @Sendable func make() throws -> Workflow {
            let workflow = Workflow("idle")
            try workflow.add("a") {}
            return workflow
        }
        let isAway = Locked(true)
        let workflows = WorkedWorkflows { _, _ in
            if isAway.withLock({ $0 }) { throw Away() }
            return try make()
        }
        let refused = Recorder<String>()
        let ends = Locked<[WorkerSession.BodyEnd]>([])
        let session = try WorkerSession(
            store, "idle", settings, workflows,
            { news in if case .unknown(let claim, _) = news { refused.record(claim.offer.step) } },
            news: {}, ended: { end in ends.withLock { $0.append(end) } })
        let owner = try await offer(make())
        try session.claim()
        #expect(session.isIdle && refused.values == ["a"])
        isAway.withLock { $0 = false }
        clock.advance(by: .seconds(59))
        // Else the lease would expire in the next second.
        _ = try session.beat(asIdle: false)
        try session.claim()
        #expect(session.isIdle)
        clock.advance(by: .seconds(1))
        try session.claim()
        #expect(!session.isIdle)
        try await untilIdle(session, ends)
        try await owner.value
        session.close()
    }

    @Test func `DR-14, DR-41: a busy worker claims other steps while a step waits that must be run alone`()
        async throws
    {
        let id = RunID("idle", key: "k")
        let gate = Gate()
        @Sendable func make() throws -> Workflow {
            let workflow = Workflow("idle")
            for name in ["a", "b", "risky"] { try workflow.add(name) { await gate.wait() } }
            return workflow
        }
        let open = try store.open(id, input: nil, as: RunOwner(since: Date()), at: Date())
        let run = try #require(open as? any SharedRun)
        func enqueue(_ step: String, interruptions: Int = 0) throws {
            try run.offer([
                StepOffer(
                    step: step, task: step, version: 1, attempt: 1, token: 7, links: 0, failures: 0,
                    interruptions: interruptions, priority: 0, cacheKey: nil)
            ])
        }
        func isClaimed(_ step: String) -> Bool {
            store.offers(of: id).contains { $0.offer.step == step && $0.worker != nil }
        }
        let ends = Locked<[WorkerSession.BodyEnd]>([])
        let session = try WorkerSession(
            store, "idle", WorkerSettings(slots: 2, clock: clock), WorkedWorkflows { _, _ in try make() },
            { _ in }, news: {}, ended: { end in ends.withLock { $0.append(end) } })
        try enqueue("a")
        try session.claim()
        try enqueue("b")
        try enqueue("risky", interruptions: StepOffer.mostInterruptions - 1)
        _ = try session.beat(asIdle: false)
        // The worker is busy at the first claim, and idle at the second.
        for next in ["b", "risky"] {
            try session.claim()
            #expect(isClaimed(next) && isClaimed("risky") == (next == "risky"))
            gate.open()
            try await untilIdle(session, ends)
        }
        session.close()
        run.close()
    }

    /// Hands the ends of bodies to a session until it is idle.
    private func untilIdle(
        _ session: WorkerSession, _ ends: Locked<[WorkerSession.BodyEnd]>
    ) async throws {
        try await eventually {
            try session.take(
                ends.withLock { ends in
                    defer { ends = [] }
                    return ends
                })
            return session.isIdle
        }
    }
}
