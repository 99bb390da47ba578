import Dispatch
import SteplinePipeline
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

@Suite("Progress callbacks of pipelines", .timeLimit(.minutes(5)))
struct ProgressCallbackTests {
    @Test("PL-67: onProgress calls back after reports and ends of steps, the last time with the whole")
    func reports() async throws {
        let gate = Gate()
        let seen = Recorder<PipelineStepProgress>()
        let pipeline = Pipeline {
            BlockStep { (_: Void, context: StepContext) async in
                context.report(fraction: 0.5)
                await gate.wait()
            }.named("half")
            BlockStep { () in 3 }.named("rest")
        }
        pipeline.onProgress { seen.record($0) }
        try pipeline.start()
        await eventually { seen.values.last?.fraction == 0.25 }
        #expect(seen.values.last == PipelineStepProgress(done: 0, count: 2, current: "half", fraction: 0.25))
        gate.open()
        await eventually { seen.values.last?.fraction == 1 }
        #expect(seen.values.last == PipelineStepProgress(done: 2, count: 2, current: nil, fraction: 1))
    }

    @Test("PL-67: no progress callback begins after a cancel on its queue has returned")
    func cancelled() async throws {
        let queue = DispatchQueue(label: "stepline.test.progress"), gate = Gate(), seen = Recorder<Bool>()
        let pipeline = try makePipeline([held(at: gate)])
        pipeline.onProgress(on: queue) { _ in seen.record(pipeline.isCancelled) }
        try pipeline.start()
        await gate.waitForArrivals()
        _ = queue.sync { pipeline.cancel() }
        gate.open()
        _ = await pipeline.outcome()
        queue.sync {}
        #expect(!seen.values.contains(true))
    }

    @Test("PL-67: no progress callback begins after its subscription or its owner's callbacks were removed")
    func removed() async throws {
        final class Owner {}
        let (owner, gate) = (Owner(), Gate())
        let queue = DispatchQueue(label: "progress")
        let seen = Recorder<String>()
        let pipeline = Pipeline { BlockStep { () async in await gate.wait() } }
        let first = pipeline.onProgress(on: queue) { _ in seen.record("first") }
        pipeline.onProgress(on: queue, for: owner) { _ in seen.record("owner's") }
        pipeline.onProgress { _ in seen.record("other") }
        first.cancel()
        pipeline.removeCallbacks(of: owner)
        try pipeline.start()
        await gate.waitForArrivals()
        gate.open()
        _ = await pipeline.outcome()
        await seen.waitForCount(1)
        queue.sync {}
        #expect(Set(seen.values) == ["other"])
    }
}
