import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import Testing

@testable import SteplineRuns

@Suite(.timeLimit(.minutes(5)))
struct IdleWorkerTests {
    private static let lease = Duration.seconds(4)
    private let store = MemoryRunStore(lease: lease)

    /// For how long the only worker is believed to live, in leases.
    private var left: Double {
        let left = store.board.withLock { $0.nextLeaseEnd }.map { $0 - MemoryRunStore.now } ?? 0
        return left / (Self.lease / .seconds(1))
    }

    @Test func `DR-42: a worker is believed for longer while it has nothing in hand`() async throws {
        let worker = StepWorker(of: "idle", in: store, WorkerSettings(slots: 1)) { _ in Workflow("idle") }
        let working = Task { try await worker.run() }
        try await Chaos.wait { left > 1 }
        worker.leave()
        try await working.value
    }

    @Test func `DR-42: what a worker takes goes to others after a lease, though it was idle before`()
        async throws
    {
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
        #expect(left > 1 && left <= 2)
        let owner = Task { [store] in
            _ = try await make().run(
                in: store, key: "k", retryingFailures: false, input: nil, on: .workers
            ) { _ in }
        }
        try await Chaos.wait { !store.offers(of: RunID("idle", key: "k")).isEmpty }
        try desk.claim()
        #expect(!desk.isIdle && left <= 1)
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
}
