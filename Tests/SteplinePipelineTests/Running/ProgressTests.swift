import Foundation
import SteplinePipeline
import SteplineSupport
import SteplineTesting
import Testing

@Suite("Progress", .timeLimit(.minutes(5)))
struct ProgressTests {
    @Test("PL-67: it follows weights and reports, never runs back, and is complete only at success")
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
        pipeline.onSuccess { _, _ in note() }
        try await pipeline.run()
        await seen.waitForCount(6)
        let wanted = [0, 0.75, 0.875, 0.875, 1, 1]
        for (value, wanted) in zip(seen.values, wanted) { #expect(abs(value - wanted) < 1e-5) }
        #expect(seen.values[4] < 1)
        #expect(seen.values[5] == 1)
        #expect(progress.isFinished)
    }

    @Test("PL-67: it is indeterminate while the total is unknown, whenever it was asked for")
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
        #expect(await cancelled.outcome().word == "cancelled")
    }
}
