import Foundation
import SteplinePipeline
import SteplineSupport
import SteplineTesting
import Testing

@Suite("Lifetime and locks", .timeLimit(.minutes(5)))
struct LifetimeTests {
    private final class Weak: @unchecked Sendable {  // set once, before it is shared
        weak var pipeline: Pipeline<Content>?
        weak var step: StepOperation?
        weak var captured: Sentinel?
    }

    @Test("PL-43: a running pipeline keeps itself alive to its end, and nothing is kept afterwards")
    func keepsItself() async throws {
        let gate = Gate()
        let ended = Recorder<String>()
        let released = Gate()
        let weak = try startAndDrop(gate, ended, released)
        await gate.waitForArrivals()
        #expect(weak.pipeline?.stateWord == "running")
        gate.open()
        await ended.waitForCount(1)
        #expect(ended.values == ["succeeded"])
        await released.wait()
    }

    private final class Sentinel: Sendable {
        let released: Gate
        init(_ released: Gate) { self.released = released }
        deinit { released.open() }
    }

    private func startAndDrop(_ gate: Gate, _ ended: Recorder<String>, _ released: Gate) throws -> Weak {
        let sentinel = Sentinel(released)
        let step = BlockStep<Void, Void>(to: .nothing) { [sentinel] in
            await gate.wait()
            withExtendedLifetime(sentinel) {}
        }
        let pipeline = try makePipeline([step])
        pipeline.onEnd { ended.record($0.word) }
        let weak = Weak()
        weak.pipeline = pipeline
        try pipeline.start()
        return weak
    }

    @Test("PL-43: a pipeline never started is simply freed, with its steps")
    func neverStarted() throws {
        let weak = Weak()
        do {
            let object = Sentinel(Gate())
            let box = Recorder<ObjectIdentifier>()
            let step = plain { box.record(ObjectIdentifier(object)) }
            let pipeline = try makePipeline([step])
            pipeline.onSuccess { _ in box.record(ObjectIdentifier(object)) }
            weak.pipeline = pipeline
            weak.step = step
            weak.captured = object
        }
        #expect(weak.pipeline == nil)
        #expect(weak.step == nil)
        #expect(weak.captured == nil)
    }

    @Test("PL-44: bodies and callbacks may call any method of the pipeline")
    func reentrancy() async throws {
        let reported = Recorder<String>()
        let pipeline = Pipeline("reentrant")
        let use: @Sendable (Pipeline<Content>) -> Void = { one in
            _ = (one.state, one.isExecuting, one.isFinished, one.isCancelled, one.steps, one.content)
            _ = (one.output, one.error, one.description, one.explain(), one.check(), one.events)
            _ = one.progress
            _ = try? one.copy(withCallbacks: true)
            _ = try? one.addStep(plain())
            try? one.start()
            one.onEnd { _ in }.cancel()
            one.removeSuccessCallbacks(of: reported)
            one.removeFailureCallbacks(of: reported)
        }
        try pipeline.addStep(plain { [weak pipeline] in if let pipeline { use(pipeline) } })
        pipeline.onEnd { [weak pipeline] _ in
            if let pipeline { use(pipeline) }
            reported.record("end")
        }
        pipeline.onSuccess { [weak pipeline] _ in
            if let pipeline { use(pipeline) }
            reported.record("success")
            pipeline?.cancel()
        }
        try pipeline.start()
        #expect(await pipeline.outcome().word == "succeeded")
        #expect(reported.values == ["end", "success"])
    }

    @Test("PL-44: a caller that blocks its thread until the end doesn't hang the pipeline")
    func blockingCaller() async throws {
        let gate = Gate()
        let pipeline = try makePipeline([plain(), BlockStep<Void, Void>(to: .nothing) { await Task.yield() }])
        let isDone = await withCheckedContinuation { continuation in
            DispatchQueue.main.async {
                pipeline.onEnd { _ in gate.open() }
                try? pipeline.start()
                continuation.resume(returning: gate.block())
            }
        }
        #expect(isDone)
    }
}
