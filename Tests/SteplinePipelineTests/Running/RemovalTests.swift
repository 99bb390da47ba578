import Foundation
import SteplinePipeline
import SteplineSupport
import SteplineTesting
import Testing

@Suite("Removing observers", .timeLimit(.minutes(5)))
struct RemovalTests {
    private final class Owner: Sendable {}

    @Test(
        "PL-59: taking away the last success callback cancels; failure and end observers don't keep it going")
    func lastOne() throws {
        for viaSubscription in [false, true] {
            let reported = Recorder<CancellationReason?>()
            let queue = OperationQueue()
            queue.isSuspended = true
            let pipeline = try makePipeline([plain().on(queue)])
            let owner = Owner()
            let subscription = pipeline.onSuccess(for: owner) { _ in }
            pipeline.onFailure(for: owner) { _ in }
            pipeline.onEnd { reported.record($0.reason) }
            try pipeline.start()
            if viaSubscription { subscription.cancel() } else { pipeline.removeSuccessCallbacks(of: owner) }
            #expect(pipeline.stateWord == "cancelled")
            #expect(reported.values == [.unwanted])
        }
    }

    @Test("PL-57, PL-59: all of an owner's callbacks are removed at once, whichever end they are for")
    func allKinds() async throws {
        let gate = Gate(), owner = Owner(), reported = Recorder<String>()
        let pipeline = try makePipeline([held(at: gate)])
        pipeline.onSuccess(for: owner) { _ in reported.record("success") }
        pipeline.onFailure(for: owner) { _ in reported.record("failure") }
        pipeline.onEnd(for: owner) { _ in reported.record("end") }
        pipeline.onEnd { reported.record("\($0.reason.map(\.description) ?? "no reason")") }
        try pipeline.start()
        await gate.waitForArrivals()
        pipeline.removeCallbacks(of: owner)
        gate.open()
        #expect(await pipeline.outcome().reason == .unwanted)
        #expect(reported.values == [CancellationReason.unwanted.description])
    }

    @Test("PL-59: another success callback, or a run that is awaited, keeps it going")
    func keptGoing() async throws {
        let gate = Gate()
        let owner = Owner()
        let pipeline = try makePipeline([held(at: gate)])
        let other = pipeline.onSuccess { _ in }
        pipeline.onSuccess(for: owner) { _ in }
        pipeline.removeSuccessCallbacks(of: owner)
        #expect(!pipeline.isCancelled)
        let running = Task { try await pipeline.run() }
        await gate.waitForArrivals()
        other.cancel()
        #expect(!pipeline.isCancelled)
        gate.open()
        _ = try await running.value
        #expect(pipeline.stateWord == "succeeded")
    }

    @Test("PL-60: removing failure callbacks, an unknown owner's, or any after the end cancels nothing")
    func harmless() async throws {
        let gate = Gate()
        let owner = Owner()
        let pipeline = try makePipeline([held(at: gate)])
        let failure = pipeline.onFailure(for: owner) { _ in }
        let success = pipeline.onSuccess(for: owner) { _ in }
        let end = pipeline.onEnd { _ in }
        try pipeline.start()
        pipeline.removeFailureCallbacks(of: owner)
        failure.cancel()
        end.cancel()
        pipeline.removeSuccessCallbacks(of: Owner())
        #expect(!pipeline.isCancelled)
        gate.open()
        #expect(await pipeline.outcome().word == "succeeded")
        success.cancel()
        pipeline.removeSuccessCallbacks(of: owner)
        #expect(pipeline.stateWord == "succeeded")
        let alone = try makePipeline([plain()])
        try alone.start()
        #expect(await alone.outcome().word == "succeeded")
    }
}
