import Foundation
import Stepline
import SteplineRequests
import SteplineTesting
import TestSupport
import Testing

@Suite("Cancelling transfers", .timeLimit(.minutes(5)))
struct NetworkCancelTests {
    let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    @Test("PL-82: cancelled before its start it makes no connection")
    func beforeStart() async throws {
        let pipeline = Pipeline.loading(server.url("/x"))
        pipeline.cancel()
        try pipeline.start()
        #expect(await pipeline.outcome().isCancelled)
        let step = URLLoadStep(server.url("/x"))
        step.cancel()
        step.start()
        #expect(step.isFinished && step.error == nil)
        #expect(server.connectionCount == 0)
    }

    @Test(
        "PL-82: cancelling stops the transfer: the step has ended, the peer sees the connection close",
        arguments: [-1, 0, 5000])
    func whileRunning(after bytes: Int) async throws {
        let fault: LoopbackFault = bytes < 0 ? .silence : .stall(after: bytes)
        server.route("/x", .pattern(count: 100_000).fault(fault))
        let step = URLLoadStep(server.url("/x"))
        let pipeline = Pipeline()
        try pipeline.addStep(step)
        let reported = Recorder<String>()
        pipeline.onSuccess { _ in reported.record("success") }
        pipeline.onFailure { _ in reported.record("failure") }
        try pipeline.start()
        await server.waitForRequests()
        pipeline.cancel()
        // Another thread may be the one who is just telling of the pipeline; what has ended has ended as a whole.
        #expect(await pipeline.outcome().isCancelled)
        #expect(step.isFinished && step.isCancelled && pipeline.isFinished)
        pipeline.cancel()
        #expect(pipeline.content?.bodyData == nil)
        await server.waitForClosedConnections()
        #expect(server.openConnections == 0)
        #expect(reported.values == [])
    }

    @Test("PL-82: cancelling from any thread at any moment ends in success or cancellation, never in between")
    func races() async throws {
        server.route("/x", .pattern(count: 20_000).chunked(of: 1000))
        server.route("/r", .redirect(to: "/x"))
        var cancelled = 0
        for round in stride(from: 0, to: 150, by: Chance.isSoak ? 1 : 6) {
            let pipeline = Pipeline.loading(server.url(round % 2 == 0 ? "/x" : "/r"))
            try pipeline.start()
            // The first is cancelled here: on busy cores each task may come after the end.
            if round == 0 { pipeline.cancel() }
            async let cancelling: Void = Task.detached {
                for _ in 0..<(round * 20) { await Task.yield() }
                pipeline.cancel()
            }.value
            let outcome = await pipeline.outcome()
            await cancelling
            switch outcome {
            case .success: #expect(pipeline.content?.bodyData == pattern(20_000))
            case .cancelled: cancelled += 1
            case .failure(let error): Issue.record(error)
            }
        }
        #expect(cancelled > 0)
    }

    @Test("PL-55, PL-82: a step's time-out closes the connection, and the next attempt makes another")
    func attemptTimeout() async throws {
        server.route("/x", inTurn: [.text("late").fault(.silence), .text("early")])
        let clock = ManualClock()
        let pipeline = Pipeline(options: .init(clock: clock)) {
            URLLoadStep(server.url("/x")).timeout(.seconds(5))
                .retrying(.constant(attempts: 2, delay: .seconds(1)))
        }
        try pipeline.start()
        await server.waitForRequests()
        await clock.waitForScheduled(after: .seconds(5))
        clock.advance(by: .seconds(5))
        await server.waitForClosedConnections()
        await clock.waitForScheduled(after: .seconds(1))
        clock.advance(by: .seconds(1))
        guard case .success = await pipeline.outcome() else { Issue.record("failed"); return }
        #expect(pipeline.content?.bodyData == Data("early".utf8))
    }

    @Test("PL-88: the activity goes up before the start and down at any end, and is told in order")
    func activity() async throws {
        let activity = TransferActivity()
        let reported = Recorder<Int>()
        let subscription = activity.onChange { reported.record($0) }
        activity.began()
        activity.began()
        activity.ended()
        activity.ended()
        await reported.waitForCount(4)
        subscription.cancel()
        #expect(reported.values == [1, 2, 1, 0] && activity.count == 0)
    }
}
