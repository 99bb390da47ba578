import Foundation
import SteplinePipeline
import SteplineSupport
import SteplineTesting
import Testing

/// What a pipeline promises whatever comes together.
@Suite("Promises", .timeLimit(.minutes(2)))
struct PromiseTests {
    @Test func `the events of a pipeline that is released without a start end`() async throws {
        for startsReading in [true, false] {
            var pipeline: Pipeline<Content>? = try makePipeline([plain()])
            let events = try #require(pipeline).events
            let reading = Task {
                var count = 0
                for await _ in events { count += 1 }
                return count
            }
            if startsReading { for _ in 0..<100 { await Task.yield() } }
            pipeline = nil
            #expect(await reading.value == 0)
        }
    }

    @Test func `cancel says whether it came first, and callbacks agree with it`() async throws {
        for round in 0..<2_000 {
            let told = Recorder<String>()
            let pipeline = try makePipeline([plain()])
            pipeline.onSuccess { _ in told.record("success") }
            pipeline.onFailure { _ in told.record("failure") }
            pipeline.onEnd { told.record($0.word) }
            try pipeline.start()
            if round % 3 == 0 { await Task.yield() }
            let wasFirst = pipeline.cancel()
            #expect(!pipeline.cancel())
            let outcome = await pipeline.outcome()
            #expect(told.values == (wasFirst ? ["cancelled"] : ["succeeded", "success"]), "\(outcome)")
            #expect((outcome.reason == .requested) == wasFirst)
        }
    }

    @Test func `on the queue of its callbacks none begins once cancel has returned`() async throws {
        let queue = DispatchQueue(label: "stepline.test.promise")
        for round in 0..<500 {
            let isCancelled = Locked(false)
            let late = Recorder<Void>()
            let pipeline = try makePipeline([plain()])
            pipeline.onSuccess(on: queue) { _ in if isCancelled.withLock({ $0 }) { late.record(()) } }
            try pipeline.start()
            if round % 2 == 0 { _ = await pipeline.outcome() }
            await withCheckedContinuation { done in
                queue.async {
                    pipeline.cancel()
                    isCancelled.withLock { $0 = true }
                    done.resume()
                }
            }
            _ = await pipeline.outcome()
            await withCheckedContinuation { done in queue.async { done.resume() } }
            #expect(late.count == 0)
        }
    }

    /// A clock that asks the pipeline whenever it is asked itself.
    private final class NosyClock: StepClock {
        let base = ManualClock(runsByItself: true)
        let pipeline = Locked<Pipeline<Content>?>(nil)
        let asked = Recorder<Void>()

        private func ask() {
            let pipeline = pipeline.withLock { $0 }
            _ = (pipeline?.state, pipeline?.steps.count, pipeline?.description)
            asked.record(())
        }

        var now: Date {
            ask()
            return base.now
        }
        var uptime: Duration {
            ask()
            return base.uptime
        }
        func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> Subscription {
            ask()
            return delay < .seconds(30) ? base.schedule(after: delay, body) : Subscription {}
        }
    }

    /// An error whose text asks the pipeline, and which does so again when it is freed.
    private final class NosyError: Error, CustomStringConvertible {
        let ask: @Sendable () -> Void
        init(_ ask: @escaping @Sendable () -> Void) { self.ask = ask }
        var description: String {
            ask()
            return "nosy"
        }
        deinit { ask() }
    }

    private final class Counter: Sendable {
        private let count = Locked(0)
        func next() -> Int {
            count.withLock { count in
                count += 1
                return count
            }
        }
    }

    @Test func `a clock, an error's text and a value's end that ask the pipeline back never find it locked`()
        async throws
    {
        let clock = NosyClock()
        let attempts = Counter()
        let pipeline = Pipeline(
            options: .init(
                retry: .constant(attempts: 3) { _ in true }, deadline: .seconds(900),
                watchdog: .seconds(2000), clock: clock
            )
        )
        clock.pipeline.withLock { $0 = pipeline }
        defer { clock.pipeline.withLock { $0 = nil } }
        try pipeline.addStep(
            BlockStep<Void, NosyError>(to: .bodyObject) { [weak pipeline] in
                let error = NosyError { [weak pipeline] in _ = pipeline?.state }
                if attempts.next() < 3 { throw error }
                return error
            }.timeout(.seconds(60))
        )
        for _ in 0..<3 {
            try pipeline.addStep(
                BlockStep<Void, NosyError>(to: .bodyObject) { [weak pipeline] in
                    NosyError { [weak pipeline] in _ = pipeline?.state }
                })
        }
        let events = pipeline.events
        pipeline.onEnd { _ in }
        try await pipeline.run()
        #expect(pipeline.explain().code == .succeeded)
        var count = 0
        for await _ in events { count += 1 }
        #expect(count > 10 && clock.asked.count > 10)
    }

    @Test func `no text about a failure shows a URL's password, whoever threw it`() async throws {
        struct Refused: Error, CustomStringConvertible {
            let description = "no answer from https://me:geheim@example.org/a?token=geheim2"
        }
        let pipeline = try makePipeline([plain { throw Refused() }])
        let events = pipeline.events
        try pipeline.start()
        let outcome = await pipeline.outcome()
        var texts = ["\(outcome)", "\(pipeline)", pipeline.explain().description]
        texts.append(outcome.error?.localizedDescription ?? "")
        for await event in events { texts.append("\(event)") }
        #expect(!texts.contains { $0.contains("geheim") }, "\(texts)")
        #expect(texts.contains { $0.contains("no answer from https://") })
        #expect(outcome.failure?.underlying is Refused)
    }
}
