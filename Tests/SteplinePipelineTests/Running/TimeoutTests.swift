import Foundation
import SteplinePipeline
import SteplineSupport
import SteplineTesting
import Testing

@Suite("Time-outs", .timeLimit(.minutes(5)))
struct TimeoutTests {
    @Test(
        "PL-55: at expiry the body is cancelled and the failure is .timedOut; a late result changes nothing")
    func expiry() async throws {
        let clock = ManualClock()
        let gate = Gate()
        let stopped = Gate()
        let step = BlockStep<Void, Int>(to: .bodyObject) { (_: Void, context: StepContext) async throws in
            context.onCancel { stopped.open() }
            await gate.wait()
            return 1
        }.timeout(.seconds(10))
        let pipeline = try makePipeline([step], options: .init(clock: clock))
        try pipeline.start()
        await gate.waitForArrivals()
        clock.advance(by: .seconds(9))
        #expect(pipeline.stateWord == "running")
        clock.advance(by: .seconds(1))
        #expect(pipeline.error?.code == .timedOut)
        #expect(stopped.isOpen)
        gate.open()
        #expect(await pipeline.outcome().failure?.step?.index == 0)
        #expect(pipeline.output == nil)
        #expect(pipeline.content?.bodyObject == nil)
    }

    @Test("PL-55: a step's time counts each attempt, and a next one waits for the old body to return")
    func eachAttempt() async throws {
        let clock = ManualClock()
        let scheduling = RecordingClock(base: clock)
        let gates = [Gate(), Gate()]
        let step = BlockStep<Void, Int>(to: .bodyObject) { (_: Void, context: StepContext) async throws in
            await gates[context.attempt - 1].wait()
            return context.attempt
        }.timeout(.seconds(10)).retrying(.constant(attempts: 2, delay: .seconds(1)))
        let pipeline = try makePipeline([step], options: .init(clock: scheduling))
        try pipeline.start()
        await gates[0].waitForArrivals()
        clock.advance(by: .seconds(10))
        #expect(pipeline.explain().description.contains("timed-out body"))
        clock.advance(by: .seconds(4))
        #expect(pipeline.stateWord == "running")
        gates[0].open()
        // The attempt's time, the grace, the back-off.
        await scheduling.delays.waitForCount(3)
        #expect(scheduling.delays.values == [.seconds(10), .seconds(5), .seconds(1)])
        clock.advance(by: .seconds(1))
        await gates[1].waitForArrivals()
        clock.advance(by: .seconds(9))
        gates[1].open()
        #expect(await pipeline.outcome().word == "succeeded")
        #expect(pipeline.output as? Int == 2)
    }

    @Test("PL-55: an old body that doesn't return within the grace fails the step")
    func grace() async throws {
        let clock = ManualClock()
        let gate = Gate()
        let step = held(at: gate).timeout(.seconds(10)).retrying(.constant(attempts: 3))
        let pipeline = try makePipeline([step], options: .init(clock: clock))
        try pipeline.start()
        await gate.waitForArrivals()
        clock.advance(by: .seconds(10))
        clock.advance(by: .milliseconds(4999))
        #expect(pipeline.stateWord == "running")
        clock.advance(by: .milliseconds(1))
        #expect(pipeline.error?.code == .timedOut)
        #expect(clock.scheduledCount == 0)
        gate.open()
    }

    @Test("PL-55: the pipeline's time counts everything from start, back-offs included")
    func whole() async throws {
        let clock = ManualClock()
        let policy = RetryPolicy.constant(attempts: 3, delay: .seconds(60), when: { _ in true })
        let pipeline = try makePipeline(
            [plain { throw Broken() }], options: .init(retry: policy, deadline: .seconds(30), clock: clock))
        clock.advance(by: .seconds(100))
        try pipeline.start()
        await clock.waitForScheduled()
        clock.advance(by: .seconds(29))
        #expect(pipeline.stateWord == "running")
        clock.advance(by: .seconds(1))
        #expect(pipeline.error?.code == .timedOut)
        #expect(pipeline.error?.description.contains("; attempt 1 failed: Broken") == true)

        let gate = Gate()
        let running = try makePipeline([held(at: gate)], options: .init(deadline: .seconds(5), clock: clock))
        try running.start()
        await gate.waitForArrivals()
        clock.advance(by: .seconds(5))
        #expect(running.error?.code == .timedOut)
        gate.open()
    }
}
