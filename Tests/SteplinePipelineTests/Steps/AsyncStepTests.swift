import Foundation
import Stepline
import SteplineTesting
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

    // In a process of its own, where nobody else's threads come and go.
    @Test("PL-19: 10,000 waiting pipelines use a fixed handful of threads")
    func noThreads() async {
        await #expect(processExitsWith: .success) {
            let gate = Gate()
            let pipelines = try (0..<10_000).map { _ in try makePipeline([Waiting(gate)]) }
            let before = AsyncStepTests.threadCount()
            for pipeline in pipelines { try pipeline.start() }
            await gate.waitForArrivals(10_000)
            // A busy machine may have had the pool add some as all came in: idle, these leave.
            let limit = ContinuousClock.now + .seconds(120)
            var added = Int.max
            while let before, let now = AsyncStepTests.threadCount(), ContinuousClock.now < limit {
                added = now - before
                if added < 32 { break }
                await Task.yield()
            }
            if before != nil { #expect(added < 32) }
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

    @Test("PL-19: so does cancelling the pipeline, for a block too")
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

    /// How many threads the process has, where the system tells.
    private static func threadCount() -> Int? {
        let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("Threads:") }
        return line?.split(separator: "\t").last.flatMap { Int($0) }
    }
}
