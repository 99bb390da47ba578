import Foundation
import SteplinePipeline
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

/// Ends that come between two transitions, or from where nobody expects them.
@Suite("Transitions at their edges", .timeLimit(.minutes(5)))
struct EdgeStateTests {
    /// Calls back when it is freed.
    private final class Caller: Sendable {
        let call: @Sendable () -> Void
        init(_ call: @escaping @Sendable () -> Void) { self.call = call }
        deinit { call() }
    }

    /// Ends at once, and leaves something in its bag that is freed when the pipeline takes its result.
    private final class LeavingStep: StepOperation, Step, @unchecked Sendable {
        let leave: @Sendable () -> Void
        init(_ leave: @escaping @Sendable () -> Void) { self.leave = leave }
        override func main() {
            finish()
            content[ContentKey<Caller>("left")] = Caller(leave)
        }
    }

    /// Never ends.
    private final class EndlessStep: StepOperation, Step, @unchecked Sendable {
        override func main() {}
    }

    private final class Reference: @unchecked Sendable {  // set before the run begins
        weak var pipeline: Pipeline<Content>?
        weak var step: StepOperation?
    }

    @Test("PL-43, PL-50: a cancel before the job gets into its suspended queue leaves nothing in there")
    func cancelledBeforeEnqueueing() async throws {
        let queue = OperationQueue()
        queue.isSuspended = true
        let reference = Reference()
        do {
            let pipeline = try makePipeline([
                LeavingStep { reference.pipeline?.cancel() }, plain().on(queue),
            ])
            reference.pipeline = pipeline
            try pipeline.start()
            #expect(await pipeline.outcome().word == "cancelled")
        }
        // The end comes before the job would be put in the queue, on the same thread.
        await eventually { reference.pipeline == nil || queue.operationCount > 0 }
        #expect(reference.pipeline == nil)
        queue.isSuspended = false
    }

    @Test("PL-43, PL-55: a body that never ends keeps nothing alive once its pipeline's time is over")
    func endlessBody() async throws {
        let clock = ManualClock()
        let reference = Reference()
        do {
            let step = EndlessStep()
            let pipeline = try makePipeline([step], options: .init(deadline: .seconds(5), clock: clock))
            (reference.pipeline, reference.step) = (pipeline, step)
            let events = pipeline.events
            try pipeline.start()
            for await event in events {
                if case .stepStarted = event.kind { break }
            }
            await eventually { step.isExecuting }
            clock.advance(by: .seconds(5))
            #expect(await pipeline.outcome().failure?.code == .timedOut)
        }
        await eventually { reference.pipeline == nil && reference.step == nil }
    }

    @Test("PL-51, PL-52: a step that is cancelled while its policy is asked isn't tried again")
    func cancelledWhileAsked() async throws {
        let clock = ManualClock()
        let reference = Reference()
        let step = plain { throw Broken() }.retrying(
            .constant(attempts: 3, delay: .seconds(3600), cap: .seconds(3600)) { _ in
                reference.step?.cancel()
                return true
            }
        )
        reference.step = step
        let pipeline = try makePipeline([step], options: .init(clock: clock))
        let events = pipeline.events
        try pipeline.start()
        var retried = false
        for await event in events {
            guard case .retrying = event.kind else { continue }
            retried = true
            break
        }
        #expect(!retried)
        if retried { pipeline.cancel() }
        #expect(await pipeline.outcome().word == "failed")
    }

    @Test("PL-51: a step cancelled before its turn ends the pipeline though its queue is suspended")
    func cancelledBeforeItsTurn() async throws {
        let queue = OperationQueue()
        queue.isSuspended = true
        let gate = Gate()
        let step = plain().on(queue)
        let pipeline = try makePipeline([held(at: gate), step])
        let events = pipeline.events
        try pipeline.start()
        await gate.waitForArrivals()
        step.cancel()
        #expect(pipeline.stateWord == "running")
        gate.open()
        for await event in events {
            if case .stepEnded = event.kind { break }
        }
        await eventually { pipeline.stateWord != "running" || queue.operationCount > 0 }
        #expect(queue.operationCount == 0)
        queue.isSuspended = false
        #expect(await pipeline.outcome().word == "cancelled")
        #expect(step.isFinished)
    }

    /// A clock that calls at once what is due at once.
    private struct ImmediateClock: StepClock {
        let base = ManualClock()
        var now: Date { base.now }
        var uptime: Duration { base.uptime }

        func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> Subscription {
            guard delay <= .zero else { return base.schedule(after: delay, body) }
            body()
            return Subscription {}
        }
    }

    @Test("PL-18, PL-55: an attempt whose time is over before its body has begun never runs it")
    func timedOutBeforeBody() async throws {
        let ran = Recorder<Int>()
        let step = BlockStep<Void, Void>(to: .nothing) { (_: Void, context: StepContext) throws in
            ran.record(context.attempt)
        }.timeout(.zero).retrying(.constant(attempts: 2, delay: .zero))
        let pipeline = try makePipeline([step], options: .init(clock: ImmediateClock()))
        try pipeline.start()
        #expect(await pipeline.outcome().failure?.code == .timedOut)
        #expect(ran.values == [])
        #expect(step.isFinished)
    }

    @Test("PL-8: a cancelled step of a pipeline that was put in a queue too doesn't keep that queue waiting")
    func cancelledInQueue() async throws {
        for startsFirst in [true, false] {
            let pipeline = Pipeline()
            let step = plain()
            try pipeline.addStep(step)
            let reported = Recorder<Bool>()
            step.completionBlock = { [weak step] in reported.record(step?.isFinished ?? false) }
            if startsFirst {
                step.start()
                #expect(!step.isFinished)
                step.cancel()
            } else {
                step.cancel()
                step.start()
            }
            #expect(step.isFinished)
            await reported.waitForCount(1)
            #expect(reported.values == [true])
            try pipeline.start()
            #expect(await pipeline.outcome().word == "cancelled")
        }
    }

    @Test("PL-8: a step that was started too runs once its pipeline lets go of it", arguments: [true, false])
    func startedByForeignQueue(isFreed: Bool) async throws {
        let ran = Recorder<Void>(), reported = Recorder<Bool>()
        let step = plain { ran.record(()) }
        step.completionBlock = { [weak step] in reported.record(step?.isFinished ?? false) }
        do {
            let pipeline = try makePipeline([step])
            // As a queue does that it was put in.
            step.start()
            #expect(!step.isFinished && step.pipeline === pipeline)
            if !isFreed { try pipeline.remove(step) }
        }
        await reported.waitForCount(1)
        #expect(reported.values == [true] && ran.count == 1)
    }

    @Test("PL-8: a step that two threads start at once runs once, and not beside a pipeline's run of it")
    func startedTwice() async throws {
        for _ in 0..<Chance.rounds(300) {
            let count = Recorder<Void>()
            let step = plain { count.record(()) }
            let pipeline = Pipeline()
            DispatchQueue.concurrentPerform(iterations: 3) { index in
                if index == 0 {
                    if (try? pipeline.addStep(step)) != nil { try? pipeline.start() }
                } else {
                    step.start()
                }
            }
            if case .running = pipeline.state { _ = await pipeline.outcome() }
            #expect(count.count == 1)
        }
    }
}
