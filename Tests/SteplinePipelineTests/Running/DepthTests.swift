import Foundation
import SteplineEngine
import SteplinePipeline
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

@Suite("Depth and width", .timeLimit(.minutes(5)))
struct DepthTests {
    @Test("PL-45: a long line of steps runs in constant stack and is freed without overflow")
    func deep() async throws {
        // ThreadSanitizer needs minutes for 40,000.
        let count = Sanitizers.areAtWork ? 10_000 : Chance.isSoak ? 100_000 : 40_000
        let gate = Gate()
        try await runDeep(count, gate)
        await gate.wait()
    }

    private final class Sentinel: Sendable {
        let gate: Gate
        init(_ gate: Gate) { self.gate = gate }
        deinit { gate.open() }
    }

    private func runDeep(_ count: Int, _ gate: Gate) async throws {
        let sentinel = Sentinel(gate)
        let pipeline = Pipeline("deep")
        try pipeline.addStep(BlockStep<Void, Int>(to: .bodyObject) { 0 })
        for _ in 0..<count - 1 {
            try pipeline.addStep(
                BlockStep<Int, Int>(from: .bodyObject, to: .bodyObject) { [sentinel] value in
                    withExtendedLifetime(sentinel) { value + 1 }
                }
            )
        }
        #expect(try await pipeline.run(returning: Int.self) == count - 1)
    }

    @Test("PL-45: 10,000 async steps, and 10,000 that alternate between queues, run without deep stacks")
    func deepAsync() async throws {
        let queues = [OperationQueue(), OperationQueue()]
        let runs = Locked(0)
        let pipeline = Pipeline("async")
        let count = Sanitizers.areAtWork ? 2_000 : 10_000
        for number in 0..<count * 2 {
            if number < count {
                try pipeline.addStep(
                    BlockStep<Void, Void>(to: .nothing) { () async in runs.withLock { $0 += 1 } })
            } else {
                try pipeline.addStep(plain { runs.withLock { $0 += 1 } }.on(queues[number % 2]))
            }
        }
        try await pipeline.run()
        #expect(runs.withLock { $0 } == count * 2)
    }

    // In a process of its own, because the test sets the number of workers.
    @Test("PL-45: of pipelines started at once, exactly as many run as there may be workers")
    func wide() async {
        await #expect(processExitsWith: .success) {
            let width = Workers.shared.width + 6
            WorkerThreads.maximumCount = width
            let gate = Gate()
            let running = Locked((now: 0, most: 0))
            let pipelines = try (0..<(Chance.isSoak ? 10_000 : 2_000)).map { _ in
                try makePipeline([
                    plain {
                        running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                        gate.block()
                        running.withLock { $0.now -= 1 }
                    }
                ])
            }
            for pipeline in pipelines { try pipeline.start() }
            await gate.waitForArrivals(width)
            #expect(Workers.shared.count == width)
            gate.open()
            for pipeline in pipelines { #expect(await pipeline.outcome().word == "succeeded") }
            #expect(running.withLock { $0.most } == width)
        }
    }
}
