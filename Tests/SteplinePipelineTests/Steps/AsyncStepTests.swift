import Foundation
import Stepline
import SteplineEngine
import SteplineTesting
import TestSupport
import Testing

@Suite("Async steps", .timeLimit(.minutes(5)))
struct AsyncStepTests {
    private final class Waiting: AsyncStep<Void, Void>, @unchecked Sendable {
        let gate: Gate
        let seen = Recorder<Bool>()

        init(_ gate: Gate) { self.gate = gate }

        override func process(_ input: Void) async throws {
            let gate = gate
            await withTaskCancellationHandler {
                await gate.wait()
            } onCancel: {
                gate.open()
            }
            seen.record(Task.isCancelled)
            try Task.checkCancellation()
        }
    }

    // In a process of its own, because the test sets the number of workers.
    @Test("PL-19: pipelines wait in async bodies without a thread each")
    func noThreads() async {
        await #expect(processExitsWith: .success) {
            WorkerThreads.maximumCount = Workers.shared.width + 6
            let count = Chance.isSoak ? 10_000 : 2_000
            let gate = Gate()
            let pipelines = try (0..<count).map { _ in try makePipeline([Waiting(gate)]) }
            for pipeline in pipelines { try pipeline.start() }
            // If a waiting body held a worker or a thread of Swift's pool, most bodies would never begin.
            await gate.waitForArrivals(count)
            #expect(Workers.shared.count <= Workers.shared.width + 6)
            gate.open()
            for pipeline in pipelines { #expect(await pipeline.outcome().word == "succeeded") }
        }
    }

    @Test("PL-19: cancelling the step cancels the Swift task its body runs in")
    func cancelStep() async throws {
        let gate = Gate()
        let step = Waiting(gate)
        let pipeline = try makePipeline([step])
        try pipeline.start()
        await gate.waitForArrivals()
        step.cancel()
        #expect(await pipeline.outcome().word == "cancelled")
        #expect(step.seen.values == [true])
    }

    @Test("PL-19: cancelling the pipeline cancels an async block's task")
    func cancelPipeline() async throws {
        let gate = Gate()
        let seen = Recorder<Bool>()
        let pipeline = try makePipeline([
            BlockStep<Void, Void> { () async in
                await withTaskCancellationHandler {
                    await gate.wait()
                } onCancel: {
                    gate.open()
                }
                seen.record(Task.isCancelled)
            }
        ])
        try pipeline.start()
        await gate.waitForArrivals()
        pipeline.cancel()
        #expect(await pipeline.outcome().word == "cancelled")
        await seen.waitForCount(1)
        #expect(seen.values == [true])
    }
}
