import Foundation
import SteplineEngine
import SteplinePipeline
import SteplineSupport
import SteplineTesting
import Testing

/// Where steps run after a body that ended on somebody else's thread.
@Suite("Places", .timeLimit(.minutes(5)))
struct PlaceTests {
    // In a process of its own: a fault here stops every `await` there is.
    @Test("PL-37, 44: plain steps that block behind async ones hold up no Swift task")
    func blockingAfterAsync() async {
        await #expect(processExitsWith: .success) {
            let gate = Gate()
            let width = Workers.shared.width
            let pipelines = try (0..<width).map { _ in
                try makePipeline([
                    BlockStep<Void, Void>(to: .nothing) { await Task.yield() },
                    plain { #expect(gate.block()) },
                ])
            }
            for pipeline in pipelines { try pipeline.start() }
            await gate.waitForArrivals(width)
            // All of them block a thread now, and still there is one for this.
            await Task { await Task.yield() }.value
            gate.open()
            for pipeline in pipelines { #expect(await pipeline.outcome().word == "succeeded") }
        }
    }

    @Test("PL-37: a plain step behind one that ends by a callback doesn't run on the callback's thread")
    func afterCallback() async throws {
        let queue = DispatchQueue(label: "callback")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let seen = Recorder<Bool>()
        let pipeline = try makePipeline([
            CallbackStep { step in queue.async { step.finish() } },
            plain { seen.record(DispatchQueue.getSpecific(key: key) ?? false) },
        ])
        try await pipeline.run()
        #expect(seen.values == [false])
    }

    @Test("a timer's call that blocks holds up no other timer")
    func blockingTimer() async {
        let gate = Gate()
        let later = Recorder<Bool>()
        SystemClock.shared.schedule(after: .zero) { later.record(gate.block()) }
        SystemClock.shared.schedule(after: .milliseconds(1)) { gate.open() }
        await later.waitForCount(1)
        #expect(later.values == [true])
    }
}
