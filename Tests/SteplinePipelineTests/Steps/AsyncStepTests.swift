import Foundation
import Stepline
import SteplineEngine
import SteplineTesting
import TestSupport
import Testing

@Suite("Async steps", .timeLimit(.minutes(5)))
struct AsyncStepTests {
    private final class Waiting: AsyncStep<Void, Void>, @unchecked Sendable {
        private let gate: Gate
        private let seen: Recorder<Bool>

        init(_ gate: Gate, _ seen: Recorder<Bool> = Recorder()) { (self.gate, self.seen) = (gate, seen) }

        override func process(_ input: Void) async throws {
            await Self.wait(at: gate, seen)
            try Task.checkCancellation()
        }

        static func wait(at gate: Gate, _ seen: Recorder<Bool>) async {
            await withTaskCancellationHandler {
                await gate.wait()
            } onCancel: {
                gate.open()
            }
            seen.record(Task.isCancelled)
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

    @Test("PL-19: cancelling a step or its pipeline cancels the body's Swift task", arguments: [true, false])
    func cancelling(isOfStep: Bool) async throws {
        let gate = Gate(), seen = Recorder<Bool>()
        let step: any Step =
            isOfStep
            ? Waiting(gate, seen) : BlockStep<Void, Void> { () async in await Waiting.wait(at: gate, seen) }
        let pipeline = try makePipeline([step])
        try pipeline.start()
        await gate.waitForArrivals()
        if isOfStep { step.cancel() } else { pipeline.cancel() }
        #expect(await pipeline.outcome().word == "cancelled")
        #expect(seen.values == [true])
    }
}
