import Foundation
import SteplinePipeline
import SteplineSupport
import SteplineTesting
import Testing

@Suite("Edits and times at their edges", .timeLimit(.minutes(5)))
struct EdgeEditTests {
    @Test("PL-25: a pipeline that is being cancelled takes no more steps: it would never run them")
    func addedWhileCancelling() async throws {
        let gate = Gate()
        let pipeline = try makePipeline([held(at: gate)])
        try pipeline.start()
        await gate.waitForArrivals()
        pipeline.cancel()
        let late = plain()
        #expect(pipelineError { try pipeline.addStep(late) }?.code == .ended)
        #expect(late.pipeline == nil)
        #expect(pipeline.steps.count == 1)
        gate.open()
        #expect(await pipeline.outcome().word == "cancelled")
    }

    @Test(
        "PL-46: explain() works at any reading of the clock",
        arguments: [1e300, -1e300, .nan, .infinity, 1e15])
    func strangeDates(seconds: Double) async throws {
        let clock = ManualClock(start: Date(timeIntervalSinceReferenceDate: seconds))
        let gate = Gate()
        let pipeline = try makePipeline([held(at: gate)], options: .init(clock: clock))
        try pipeline.start()
        await gate.waitForArrivals()
        #expect(pipeline.explain().description.contains("body"))
        gate.open()
        _ = await pipeline.outcome()
    }
}
