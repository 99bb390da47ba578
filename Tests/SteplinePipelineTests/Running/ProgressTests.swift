import Foundation
import SteplinePipeline
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

@Suite("Progress", .timeLimit(.minutes(5)))
struct ProgressTests {
    @Test("PL-67: progress follows weights and reports, never decreases, and is complete only at success")
    func weights() async throws {
        let seen = Recorder<Double>()
        let pipeline = Pipeline("weighed")
        let progress = pipeline.progress
        let note: @Sendable () -> Void = { seen.record(progress.fractionCompleted) }
        try pipeline.addStep(plain { note() }.weight(3))
        try pipeline.addStep(
            BlockStep<Void, Void>(from: .nothing, to: .nothing) { (_: Void, context: StepContext) in
                note()
                context.report(fraction: 0.5)
                note()
                context.report(fraction: 0.25)
                note()
                context.report(completed: 8, of: 8)
                note()
            })
        pipeline.onSuccess { _ in note() }
        try await pipeline.run()
        await seen.waitForCount(6)
        let expected = [0, 0.75, 0.875, 0.875, 1, 1]
        for (value, expected) in zip(seen.values, expected) { #expect(abs(value - expected) < 1e-5) }
        #expect(seen.values[4] < 1)
        #expect(seen.values[5] == 1)
        #expect(progress.isFinished)
    }

    @Test("PL-67: progress is indeterminate while the total is unknown")
    func indeterminate() async throws {
        let seen = Recorder<Bool>()
        let pipeline = Pipeline("unknown")
        let progress = pipeline.progress
        try pipeline.addStep(
            BlockStep<Void, Void>(from: .nothing, to: .nothing) { (_: Void, context: StepContext) in
                context.report(completed: 10, of: nil)
                seen.record(progress.isIndeterminate)
                context.report(completed: 15, of: 20)
                seen.record(progress.isIndeterminate)
            })
        try await pipeline.run()
        #expect(seen.values == [true, false])
    }

    @Test("PL-67: after a failure it is not complete; cancelling it cancels the pipeline")
    func failureAndCancel() async throws {
        let failing = try makePipeline([plain(), plain { throw Broken() }])
        let progress = failing.progress
        try failing.start()
        _ = await failing.outcome()
        #expect(progress.fractionCompleted < 1 && !progress.isFinished)
        let cancelled = try makePipeline([plain()])
        cancelled.progress.cancel()
        // Foundation calls the handler on another thread, and the outcome would start the pipeline before it.
        await eventually { cancelled.isCancelled }
        #expect(await cancelled.outcome().word == "cancelled")
    }

    @Test("PL-65, PL-67: progress is up to date when an event is read")
    func events() async throws {
        for _ in 0..<500 {
            let pipeline = try makePipeline([plain(), plain()])
            let progress = pipeline.progress
            let events = pipeline.events
            try pipeline.start()
            var ended = 0.0
            for await event in events {
                if case .stepEnded = event.kind { ended += 1 }
                try #require(progress.fractionCompleted > ended / 2 - 1e-5)
            }
            try #require(progress.fractionCompleted == 1)
        }
    }

    @Test("PL-67: progress requested late has the finished work, and outlives the pipeline")
    func late() async throws {
        var pipeline: Pipeline<Content>? = try makePipeline([plain()])
        try await pipeline?.run()
        let progress = try #require(pipeline?.progress)
        pipeline = nil
        #expect(progress.fractionCompleted == 1 && progress.isFinished)
    }

    @Test("PL-67: progress can be a part of a larger progress")
    func parent() async throws {
        let whole = Progress(totalUnitCount: 4)
        let pipeline = try makePipeline([plain(), plain()])
        whole.addChild(pipeline.progress, withPendingUnitCount: 1)
        try await pipeline.run()
        #expect(whole.completedUnitCount == 1 && whole.fractionCompleted == 0.25)
    }

    @Test("PL-67: concurrent progresses can be parts of one, which is complete when all of them are")
    func manyParts() async throws {
        let whole = Progress(totalUnitCount: 400)
        let pipelines = try (0..<400).map { _ in try makePipeline([plain(), plain(), plain()]) }
        for pipeline in pipelines { whole.addChild(pipeline.progress, withPendingUnitCount: 1) }
        for pipeline in pipelines { try pipeline.start() }
        for pipeline in pipelines { #expect(await pipeline.outcome().word == "succeeded") }
        #expect(whole.completedUnitCount == 400 && whole.isFinished)
    }
}
