import Foundation
import SteplinePipeline
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

/// The promises of a pipeline under any interleaving.
@Suite("Promises", .timeLimit(.minutes(5)))
struct PromiseTests {
    @Test func `the events of a pipeline that is released without a start end`() async throws {
        for round in 0..<20 {
            var pipeline: Pipeline<Content>? = try makePipeline([plain()])
            let events = try #require(pipeline).events
            let reading = Task {
                var count = 0
                for await _ in events { count += 1 }
                return count
            }
            // The reader waits for the first event by then, or has not begun.
            if round % 2 == 0 { for _ in 0..<round { await Task.yield() } }
            pipeline = nil
            #expect(await reading.value == 0)
        }
    }

    @Test func `cancel says whether it came first, and callbacks agree with it`() async throws {
        for round in 0..<Chance.rounds(300) {
            let reported = Recorder<String>()
            let pipeline = try makePipeline([plain()])
            pipeline.onSuccess { _ in reported.record("success") }
            pipeline.onFailure { _ in reported.record("failure") }
            pipeline.onEnd { reported.record($0.word) }
            try pipeline.start()
            if round % 3 == 0 { await Task.yield() }
            let wasFirst = pipeline.cancel()
            #expect(!pipeline.cancel())
            let outcome = await pipeline.outcome()
            #expect(reported.values == (wasFirst ? ["cancelled"] : ["succeeded", "success"]), "\(outcome)")
            #expect((outcome.reason == .requested) == wasFirst)
        }
    }

    @Test func `on the queue of its callbacks none begins once cancel has returned`() async throws {
        let queue = DispatchQueue(label: "stepline.test.promise")
        for round in 0..<Chance.rounds(100) {
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
        // The base jumps to its next deadline, and would let the deadline and the watchdog expire.
        let clock = ReentrantClock(
            ManualClock(runsByItself: true), droppingDelaysFrom: .seconds(30))
        let attempts = Counter()
        let pipeline = Pipeline(
            options: .init(
                retry: .constant(attempts: 3) { _ in true }, deadline: .seconds(900),
                watchdog: .seconds(2000), clock: clock
            )
        )
        clock.onCall { _ = (pipeline.state, pipeline.steps.count, pipeline.description) }
        defer { clock.onCall(nil) }
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
        #expect(count > 10 && clock.callCount > 10)
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
