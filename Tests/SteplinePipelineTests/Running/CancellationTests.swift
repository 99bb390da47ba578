import Foundation
import SteplinePipeline
import SteplineSupport
import SteplineTesting
import Testing

@Suite("Cancelling a pipeline", .timeLimit(.minutes(5)))
struct CancellationTests {
    @Test("PL-47: cancel drops success and failure callbacks, cancels the step, and no later step runs")
    func dropsCallbacks() async throws {
        let gate = Gate()
        let reported = Recorder<String>()
        let step = held(at: gate)
        let pipeline = try makePipeline([step, plain { reported.record("later step") }])
        pipeline.onSuccess { _ in reported.record("success") }
        pipeline.onFailure { _ in reported.record("failure") }
        pipeline.onEnd { reported.record($0.reason?.description ?? "?") }
        let events = pipeline.events
        try pipeline.start()
        await gate.waitForArrivals()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { pipeline.cancel("enough") } }
        }
        #expect(step.isCancelled)
        gate.open()
        #expect(await pipeline.outcome().reason == "enough")
        #expect(reported.values == ["enough"])
        var cancelling = 0
        var last: PipelineEvent.Kind?
        for await event in events {
            if event.kind == .cancelling("enough") { cancelling += 1 }
            last = event.kind
        }
        #expect(cancelling == 1)
        #expect(last == .ended(.cancelled("enough")))
    }

    @Test("PL-47: cancelling an ended pipeline changes no state or flag")
    func afterTheEnd() async throws {
        let pipeline = try makePipeline([BlockStep<Void, Int>(to: .bodyObject) { 1 }])
        try await pipeline.run()
        pipeline.cancel()
        #expect(pipeline.stateWord == "succeeded")
        #expect(!pipeline.isCancelled)
        #expect(pipeline.output as? Int == 1)
        #expect(await pipeline.outcome().word == "succeeded")
    }

    @Test("PL-48: on the queue of a callback none begins once cancel has returned there, though it was due")
    func dueOnAQueue() async throws {
        for cancelsThere in [true, false] {
            let queue = DispatchQueue(label: "stepline.test.cancel")
            let gate = Gate()
            let reported = Recorder<String>()
            let pipeline = try makePipeline([plain()])
            pipeline.onSuccess(on: queue) { _ in reported.record("success") }
            pipeline.onEnd(on: queue) { reported.record($0.word) }
            queue.async {
                gate.block()
                if cancelsThere { reported.record("\(pipeline.cancel())") }
            }
            try await pipeline.run()
            if !cancelsThere { #expect(!pipeline.cancel()) }
            gate.open()
            await reported.waitForCount(2)
            await withCheckedContinuation { done in queue.async { done.resume() } }
            #expect(reported.values == (cancelsThere ? ["false", "succeeded"] : ["succeeded", "success"]))
        }
    }

    @Test("PL-48: called inside a callback on a queue, the rest of that delivery is dropped")
    func insideACallback() async throws {
        let queue = DispatchQueue(label: "stepline.test.inside")
        let reported = Recorder<Int>()
        let pipeline = try makePipeline([plain { throw Broken() }])
        pipeline.onFailure(on: queue) { [unowned pipeline] _ in
            reported.record(1)
            #expect(!pipeline.cancel())
        }
        pipeline.onFailure(on: queue) { _ in reported.record(2) }
        pipeline.onFailure { _ in reported.record(3) }
        try pipeline.start()
        #expect(await pipeline.outcome().word == "failed")
        await reported.waitForCount(2)
        await withCheckedContinuation { done in queue.async { done.resume() } }
        #expect(reported.values.sorted() == [1, 3])
    }

    @Test("PL-38, PL-49: while a body winds down the pipeline is cancelling; its result lands in content")
    func windsDown() async throws {
        let gate = Gate()
        let pipeline = try makePipeline([
            BlockStep<Void, Int>(to: .bodyObject) { () async in
                await gate.wait(); return 3
            }
        ])
        try pipeline.start()
        await gate.waitForArrivals()
        pipeline.cancel()
        #expect(pipeline.stateWord == "cancelling")
        #expect(pipeline.isExecuting && pipeline.isCancelled && !pipeline.isFinished)
        gate.open()
        #expect(await pipeline.outcome().word == "cancelled")
        #expect(pipeline.content?.bodyObject as? Int == 3)
        #expect(!pipeline.isExecuting && pipeline.isCancelled && pipeline.isFinished)
    }

    @Test("PL-49: an error that a cancelled body throws is only in the events")
    func lateError() async throws {
        let gate = Gate()
        let pipeline = try makePipeline([
            BlockStep<Void, Void>(to: .nothing) { () async throws in
                await gate.wait()
                throw Broken(number: 9)
            }
        ])
        let events = pipeline.events
        try pipeline.start()
        await gate.waitForArrivals()
        pipeline.cancel()
        gate.open()
        #expect(await pipeline.outcome().word == "cancelled")
        #expect(pipeline.error == nil)
        var outcomes: [PipelineEvent.StepOutcome] = []
        for await event in events {
            if case .stepEnded(_, _, let outcome, _) = event.kind { outcomes.append(outcome) }
        }
        guard case .failed(let text) = outcomes.first else {
            Issue.record("\(outcomes)")
            return
        }
        #expect(text.contains("Broken"))
    }

    @Test(
        "PL-50: an unstarted pipeline, or one whose step waits in a suspended queue, has ended when cancel returns"
    )
    func waitingEndsAtOnce() throws {
        let ready = try makePipeline([plain()])
        ready.cancel()
        #expect(ready.stateWord == "cancelled")
        #expect(ready.content == nil)

        let queue = OperationQueue()
        queue.isSuspended = true
        let ran = Recorder<Void>()
        let queued = try makePipeline([plain { ran.record(()) }.on(queue)])
        try queued.start()
        queued.cancel()
        #expect(queued.stateWord == "cancelled")
        queue.isSuspended = false
        queue.waitUntilAllOperationsAreFinished()
        #expect(ran.count == 0)
    }

    @Test("PL-50: cancel during back-off ends the pipeline at once")
    func backoffEndsAtOnce() async throws {
        let clock = ManualClock()
        let ran = Recorder<Void>()
        let step = plain {
            ran.record(())
            throw Broken()
        }.retrying(.constant(attempts: 9, when: { _ in true }))
        let pipeline = try makePipeline([step], options: .init(clock: clock))
        try pipeline.start()
        await clock.waitForScheduled()
        pipeline.cancel()
        #expect(pipeline.stateWord == "cancelled")
        #expect(step.isFinished && step.isCancelled && !step.isExecuting)
        #expect(pipeline.content != nil)
        clock.advance(by: .seconds(100))
        #expect(ran.count == 1)
        #expect(clock.scheduledCount == 0)
    }

    @Test("PL-43, 50: a pipeline cancelled or timed out in a back-off is freed, with its step")
    func backoffIsFreed() async throws {
        let thread = DispatchQueue(label: "stepline.test.backoff"), queue = OperationQueue()
        queue.underlyingQueue = thread
        for cancels in [true, false] {
            let clock = ManualClock()
            weak var freed: Pipeline<Content>?
            do {
                let step = plain { throw Broken() }.on(queue).retrying(
                    .constant(attempts: 9, delay: .seconds(60), when: { _ in true }))
                let pipeline = try makePipeline([step], options: .init(deadline: .seconds(30), clock: clock))
                freed = pipeline
                try pipeline.start()
                await clock.waitForScheduled()
                // Until the thread that ran the step has let go of it.
                thread.sync {}
                if cancels { pipeline.cancel() } else { clock.advance(by: .seconds(40)) }
                #expect(pipeline.stateWord == (cancels ? "cancelled" : "failed"))
                #expect(step.isFinished)
            }
            #expect(freed == nil)
        }
    }

    @Test(
        "PL-51: step.cancel() cancels the pipeline once that step ends; if it fails, the pipeline has failed")
    func stepCancel() async throws {
        for throwing in [nil, Broken(), CancellationError()] as [(any Error)?] {
            let gate = Gate()
            let step = BlockStep<Void, Void>(to: .nothing) { () async throws in
                await gate.wait()
                if let throwing { throw throwing }
            }.named("own")
            let pipeline = try makePipeline([step, plain { Issue.record("a later step ran") }])
            try pipeline.start()
            await gate.waitForArrivals()
            step.cancel()
            #expect(!pipeline.isFinished)
            gate.open()
            let outcome = await pipeline.outcome()
            if throwing is Broken {
                #expect(outcome.failure?.underlying is Broken)
            } else {
                #expect(outcome.reason.map { "\($0)".contains("\"own\"") } == true)
            }
        }
    }

    @Test("PL-51: a body that throws CancellationError cancels the pipeline, with that step as the reason")
    func ownCancellationError() async throws {
        let pipeline = try makePipeline([plain(), plain("tired") { throw CancellationError() }])
        try pipeline.start()
        let outcome = await pipeline.outcome()
        #expect(outcome.reason?.description.contains("step 2 of 2 \"tired\"") == true)
    }

    @Test(arguments: [true, false])
    func `a cancelled body that never ends is given up after the grace`(cancelsStep: Bool) async throws {
        let clock = ManualClock()
        let gate = Gate()
        let step = BlockStep<Void, Int>(to: .bodyObject) {
            await gate.wait()
            return 1
        }
        let pipeline = try makePipeline([step, plain()], options: .init(grace: .seconds(2), clock: clock))
        try pipeline.start()
        await gate.waitForArrivals()
        if cancelsStep { step.cancel() } else { pipeline.cancel() }
        clock.advance(by: .milliseconds(1999))
        #expect(!pipeline.isFinished)
        clock.advance(by: .milliseconds(1))
        #expect(pipeline.stateWord == "cancelled")
        let reason = await pipeline.outcome().reason
        #expect(reason?.code == (cancelsStep ? .part : .requested))
        gate.open()
        #expect(pipeline.content?.bodyObject == nil)
    }
}
