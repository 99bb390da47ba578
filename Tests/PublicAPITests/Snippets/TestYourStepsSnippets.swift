import Foundation
import Stepline
import SteplineTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// The snippets of the page on testing, compiled and run.

@Suite("Testing guide", .timeLimit(.minutes(5)))
struct TestYourStepsSnippets {
    @Test("a step by itself, and in a pipeline")
    func alone() async throws {
        /// Blocks its thread, as a plain test does.
        func byHand() {
            let step = CountWords().step()
            step.content.bodyObject = "to be or not to be"
            OperationQueue().addOperations([step], waitUntilFinished: true)
            #expect(step.error == nil)
            #expect(step.content.bodyObject as? [String: Int] == ["to": 2, "be": 2, "or": 1, "not": 1])
        }
        byHand()

        let counts = try await Pipeline.run(on: "to be or not to be") { CountWords() }
        #expect(counts["be"] == 2)
    }

    @Test("retries of hours")
    func retries() async throws {
        let calls = Recorder<Duration>()
        let text = try await Simulation().run { simulation in
            try await Pipeline.run("flaky", options: .init(deadline: .seconds(8000))) {
                BlockStep { () throws in
                    calls.record(simulation.clock.uptime)
                    if calls.count < 3 { throw URLError(.timedOut) }
                    return "done"
                }
                .retrying(.constant(attempts: 3, delay: .seconds(3600), cap: .seconds(3600)))
            }
        }
        #expect(text == "done" && calls.values == [.zero, .seconds(3600), .seconds(7200)])
    }

    @Test("a body that is held")
    func held() async throws {
        let gate = Gate()
        let pipeline = Pipeline("held") {
            BlockStep { () async in await gate.wait() }
            BlockStep { () in "never reached" }
        }
        try pipeline.start()
        await gate.waitForArrivals()
        pipeline.cancel("enough")
        #expect(pipeline.isCancelled && !pipeline.isFinished)
        gate.open()
        guard case .cancelled = await pipeline.outcome() else { return }
        #expect(pipeline.isFinished)
    }

    @Test("a server that misbehaves")
    func network() async throws {
        let server = try LoopbackServer()
        server.route("/feed", inTurn: [.status(503).header("Retry-After", "1"), .text("[1, 2]")])
        server.route("/lost", .pattern(count: 5000).fault(.reset(after: 100)))
        let clock = ManualClock()
        let options = PipelineOptions(retry: .exponential(attempts: 2), clock: clock)
        let feed = Pipeline("feed", options: options) {
            URLLoadStep(server.url("/feed"))
            JSONDecodeStep<[Int]>()
        }
        try feed.start()
        await clock.waitForScheduled(after: .seconds(1))
        clock.advance(by: .seconds(1))
        #expect(await feed.outcome().value == [1, 2])
        #expect(server.requests.count == 2)
        await #expect(throws: PipelineError.self) { try await Pipeline.loading(server.url("/lost")).run() }
    }

    @Test("no network at all")
    func transport() async throws {
        let url = try #require(URL(string: "https://example.com/a"))
        let transport = TransportDouble()
        transport.on("GET", "https://example.com/a", .status(503), .text("hello"))
        let urls = URLTaskManager(reactors: [.retrying(base: .zero)], transport: transport)
        let reply = try await urls.data(from: url)
        #expect(String(decoding: reply.data, as: UTF8.self) == "hello")
        #expect(transport.requests.count == 2)
    }
}
