import RunsTestSupport
import SteplineRunsTesting
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import TestSupport
import Testing

@testable import SteplineRuns

/// How many steps a worker claims before it can run them.
@Suite(.timeLimit(.minutes(5)))
struct StepsAheadTests {
    private static let id = RunID("ahead", key: "k")

    @Test(arguments: [(0, 32), (6, 3), (30, 0)])
    func `DR-41: a worker claims ahead what a slot runs in 20 ms, 32 steps at most, and nothing at first`(
        milliseconds: Int, room: Int
    ) async throws {
        let clock = ManualClock(), store = SharedMemoryStore(lease: .seconds(60), clock: clock)
        @Sendable func make() throws -> Workflow {
            let workflow = Workflow("ahead")
            for number in 0..<100 {
                try workflow.add("\(number)") { clock.advance(by: .milliseconds(milliseconds)) }
            }
            return workflow
        }
        let begun = Locked<Set<String>>([]), ahead = Recorder<Int>()
        let worker = StepWorker(
            of: "ahead", in: store, WorkerSettings(slots: 1, clock: clock), build: { _ in try make() }
        ) { news in
            guard case .began(let claim) = news else { return }
            let known = begun.withLock { begun in
                begun.insert(claim.offer.step)
                return begun
            }
            let offers = store.offers(of: Self.id)
            ahead.record(offers.count { $0.worker != nil && !known.contains($0.offer.step) })
        }
        let running = Task {
            try await make().run(in: store, key: "k", retryingFailures: false, input: nil, on: .workers) {
                _ in
            }
        }
        // The worker can claim only steps that are already offered.
        await eventually { store.offers(of: Self.id).count == 100 }
        let working = Task { try await worker.run() }
        _ = try await running.value
        worker.leave()
        try await working.value
        #expect(ahead.values.first == 0 && ahead.values.max() == room)
    }
}
