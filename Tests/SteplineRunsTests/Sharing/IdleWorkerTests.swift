import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import Testing

@testable import SteplineRuns

@Suite(.timeLimit(.minutes(5)))
struct IdleWorkerTests {
    /// For how long the only worker is believed to live, in leases.
    private func left(in store: MemoryRunStore, of lease: Duration) -> Double {
        let left = store.board.withLock { $0.nextLeaseEnd }.map { $0 - MemoryRunStore.now } ?? 0
        return left / (lease / .seconds(1))
    }

    /// Begins a run on workers, and returns once something of it is offered.
    private func offer(_ workflow: Workflow, in store: MemoryRunStore) async throws -> Task<Void, any Error> {
        let owner = Task {
            _ = try await workflow.run(
                in: store, key: "k", retryingFailures: false, input: nil, on: .workers
            ) { _ in }
        }
        try await Chaos.wait { !store.offers(of: RunID("idle", key: "k")).isEmpty }
        return owner
    }

    @Test func `DR-42: a worker is believed for longer while it has nothing in hand`() async throws {
        let lease = Duration.seconds(4), store = MemoryRunStore(lease: lease)
        let worker = StepWorker(of: "idle", in: store, WorkerSettings(slots: 1)) { _ in Workflow("idle") }
        let working = Task { try await worker.run() }
        try await Chaos.wait { left(in: store, of: lease) > 1 }
        worker.leave()
        try await working.value
    }

    @Test func `DR-42: what a worker takes goes to others after a lease, though it was idle before`()
        async throws
    {
        // Nobody waits for its end.
        let lease = Duration.seconds(3600), store = MemoryRunStore(lease: lease)
        @Sendable func make() throws -> Workflow {
            let workflow = Workflow("idle")
            try workflow.add("a") {}
            return workflow
        }
        let ends = Locked<[WorkerDesk.BodyEnd]>([])
        let desk = try WorkerDesk(
            store, "idle", WorkerSettings(slots: 1), WorkedWorkflows { _, _ in try make() }, { _ in },
            news: {}, ended: { end in ends.withLock { $0.append(end) } })
        _ = try desk.beat(asIdle: true)
        let idle = left(in: store, of: lease)
        #expect(idle > 1 && idle <= 2)
        let owner = try await offer(make(), in: store)
        try desk.claim()
        #expect(!desk.isIdle && left(in: store, of: lease) <= 1)
        try await Chaos.wait {
            try desk.take(
                ends.withLock { ends in
                    defer { ends = [] }
                    return ends
                })
            return desk.isIdle
        }
        try await owner.value
        desk.close()
    }

    @Test func `DR-51: a worker that was taken for dead is idle once its old bodies are over`() async throws {
        let store = MemoryRunStore(lease: .seconds(3600)), gate = Gate()
        @Sendable func make() throws -> Workflow {
            let workflow = Workflow("idle")
            try workflow.add("a") { await gate.wait() }
            return workflow
        }
        let desk = try WorkerDesk(
            store, "idle", WorkerSettings(slots: 1), WorkedWorkflows { _, _ in try make() }, { _ in },
            news: {}, ended: { _ in })
        let owner = try await offer(make(), in: store)
        try desk.claim()
        owner.cancel()
        store.board.withLock { $0.sweep(at: .infinity) }
        _ = try desk.beat(asIdle: false)
        #expect(!desk.isIdle && desk.idleSince == nil)
        gate.open()
        try await Chaos.wait {
            try desk.take([])
            return desk.isIdle
        }
        #expect(desk.idleSince != nil)
        desk.close()
        _ = try? await owner.value
    }
}
