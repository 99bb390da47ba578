import Foundation
import SteplinePipeline
import SteplineSupport
import SteplineTesting
import Testing

@Suite("Explaining", .timeLimit(.minutes(5)))
struct ExplainTests {
    @Test("PL-46: explain() says that start() is missing, and how the pipeline ended")
    func ends() async throws {
        let pipeline = try makePipeline([plain()], name: "forecast")
        #expect(pipeline.explain().description.contains("start()"))
        #expect(pipeline.explain().description.contains("forecast"))
        try await pipeline.run()
        #expect(pipeline.explain().description.contains("succeeded"))
    }

    @Test("PL-46: explain() names the step whose body runs, and since when")
    func body() async throws {
        let clock = ManualClock(start: Date(timeIntervalSinceReferenceDate: 0))
        let gate = Gate()
        let pipeline = try makePipeline([plain(), held(at: gate, "decode")], options: .init(clock: clock))
        clock.advance(by: .seconds(3600))
        try pipeline.start()
        await gate.waitForArrivals()
        clock.advance(by: .seconds(60))
        let text = pipeline.explain().description
        #expect(text.contains("step 2 of 2 \"decode\""))
        #expect(text.contains("body"))
        #expect(text.contains("2001-01-01T01:00:00Z"))
        gate.open()
        _ = await pipeline.outcome()
    }

    @Test("PL-46: explain() names a queue that doesn't run the step, and a back-off")
    func queueAndBackoff() async throws {
        let queue = OperationQueue()
        queue.isSuspended = true
        let waiting = try makePipeline([plain("stuck").on(queue)])
        try waiting.start()
        #expect(waiting.explain().description.contains("queue of step 1 of 1 \"stuck\""))
        waiting.cancel()
        let clock = ManualClock()
        let policy = RetryPolicy.constant(attempts: 2, when: { _ in true })
        let retried = try makePipeline(
            [plain("again") { throw Broken() }], options: .init(retry: policy, clock: clock)
        )
        try retried.start()
        await clock.waitForScheduled()
        #expect(retried.explain().description.contains("attempt 2 of step 1 of 1 \"again\""))
        retried.cancel()
    }
}
