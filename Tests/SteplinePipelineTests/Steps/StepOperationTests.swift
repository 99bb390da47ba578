import Foundation
import Stepline
import SteplineTesting
import TestSupport
import Testing

@Suite("Steps by callback", .timeLimit(.minutes(5)))
struct StepOperationTests {
    @Test("PL-9: the bag that a step holds at its end goes on, even one put in place of the one it got")
    func replacedBag() async throws {
        var first = Content(object: "old")
        first["gone"] = 1
        let seen = Recorder<Content>()
        let pipeline = try makePipeline(
            [
                CallbackStep { step in
                    step.content = Content(data: Data([1]))
                    step.content["new"] = true
                    step.finish()
                },
                CallbackStep { step in
                    seen.record(step.content)
                    step.finish()
                },
            ], content: first)
        try await pipeline.run()
        let bag = try #require(seen.values.first)
        #expect(Set(bag.names) == ["bodyData", "new"])
        #expect(pipeline.content?["new"] as? Bool == true)
    }

    @Test("PL-10: the first finish counts, later ones change nothing")
    func finishTwice() async throws {
        let pipeline = try makePipeline([
            CallbackStep { step in
                step.content.bodyObject = 1
                step.finish()
                step.finish(throwing: Broken())
                step.content.bodyObject = 2
                step.finish()
            }
        ])
        try await pipeline.run()
        #expect(pipeline.content?.bodyObject as? Int == 1)
        #expect(pipeline.error == nil)
        let step = try #require(pipeline.steps.first)
        step.finish(throwing: Broken())
        step.content = Content()
        #expect(step.error == nil)
        #expect(step.content.bodyObject as? Int == 1)
        #expect(pipeline.stateWord == "succeeded")
    }

    @Test("PL-10: of many calls of finish at once, one counts")
    func finishRace() async throws {
        for _ in 0..<50 {
            let later = Recorder<Void>()
            let pipeline = try makePipeline([
                CallbackStep { step in
                    for number in 0..<4 {
                        DispatchQueue.global().async {
                            step.finish(throwing: number % 2 == 0 ? nil : Broken(number: number))
                        }
                    }
                },
                plain { later.record(()) },
            ])
            try pipeline.start()
            let outcome = await pipeline.outcome()
            #expect(later.count == (outcome.word == "succeeded" ? 1 : 0))
        }
    }

    @Test("PL-10: a finish of an earlier attempt changes nothing")
    func earlierAttempt() async throws {
        let contexts = Recorder<StepContext>()
        let step = CallbackStep { step in
            let context = step.context
            contexts.record(context)
            if context.attempt == 1 { context.finish(throwing: Broken(number: 1)) }
        }.retrying(.constant(attempts: 2, delay: .zero, when: { _ in true }))
        let pipeline = try makePipeline([step], options: .init(clock: ManualClock(runsByItself: true)))
        try pipeline.start()
        await contexts.waitForCount(2)
        contexts.values[0].finish(throwing: Broken(number: 2))
        contexts.values[0].finish()
        #expect(pipeline.stateWord == "running")
        contexts.values[1].finish(throwing: Broken(number: 3))
        let error = await pipeline.outcome().failure
        #expect(error?.underlying as? Broken == Broken(number: 3))
        #expect(error?.attempt == 2)
    }

    @Test(
        "PL-10, PL-65: a step that never ends is named by explain, and reported as stalled by the watchdog")
    func neverEnds() async throws {
        let clock = ManualClock()
        let began = Recorder<CallbackStep>()
        let step = CallbackStep { began.record($0) }.named("silent")
        let pipeline = try makePipeline([plain(), step], options: .init(clock: clock))
        #expect(pipeline.options.watchdog == .seconds(60))
        let kinds = Recorder<PipelineEvent.Kind>()
        let events = pipeline.events
        let reading = Task { for await event in events { kinds.record(event.kind) } }
        try pipeline.start()
        await began.waitForCount(1)
        #expect(pipeline.explain().description.contains("silent"))
        await clock.waitForScheduled(after: .seconds(60))
        clock.advance(by: .seconds(59))
        clock.advance(by: .seconds(1))
        step.finish()
        await reading.value
        var stalls = 0
        for case .stalled(let position, let attempt, let waiting) in kinds.values {
            stalls += 1
            #expect(position.name == "silent" && attempt == 1 && waiting == .seconds(60))
        }
        #expect(stalls == 1)
        #expect(await pipeline.outcome().word == "succeeded")
    }

    @Test("PL-11: a step that outlives its pipeline sees none")
    func outlives() async throws {
        let step = plain()
        var pipeline: Pipeline<Content>? = try makePipeline([step])
        #expect(step.pipeline === pipeline)
        try await pipeline?.run()
        #expect(step.pipeline === pipeline)
        pipeline = nil
        // The thread that has notified the end may hold the pipeline a moment longer.
        await eventually { step.pipeline == nil }
        #expect(step.isFinished)
        #expect(step.error == nil)
        #expect(step.context.position.index == 0)
        step.cancel()
        step.finish()
    }

    @Test("PL-11: a pipeline frees its steps with it, run or not", arguments: [true, false])
    func frees(isRun: Bool) async throws {
        weak var first: StepOperation?
        weak var second: StepOperation?
        do {
            let steps: [any Step] = [plain(), WordCount()]
            (first, second) = (steps[0], steps[1])
            let pipeline = try makePipeline(steps, content: Content(object: "a b"))
            if isRun { try await pipeline.run() }
            #expect(first != nil)
        }
        if isRun {
            // The thread that has notified the end may hold the pipeline a moment longer.
            await eventually { first == nil && second == nil }
        }
        #expect(first == nil)
        #expect(second == nil)
    }

    @Test("PL-9, PL-11: error and pipeline are set by the library, for each step in its time")
    func setByLibrary() async throws {
        let seen = Recorder<Bool>()
        let step = CallbackStep { step in
            seen.record(step.pipeline?.name == "owner" && step.error == nil)
            step.finish(throwing: Broken(number: 4))
        }
        #expect(step.pipeline == nil)
        #expect(step.error == nil)
        let pipeline = try makePipeline([step], name: "owner")
        try pipeline.start()
        _ = await pipeline.outcome()
        #expect(seen.values == [true])
        #expect(step.error as? Broken == Broken(number: 4))
        let removed = plain()
        let other = try makePipeline([plain(), removed])
        try other.remove(removed)
        #expect(removed.pipeline == nil)
    }
}
