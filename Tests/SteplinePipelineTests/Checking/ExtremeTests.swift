import Foundation
import Stepline
import SteplineTesting
import Testing

@Suite("Extreme values", .timeLimit(.minutes(5)))
struct ExtremeTests {
    private static let numbers: [Double] = [
        .nan, .infinity, -.infinity, -1, 0, 2, 1e300, -1e300, .leastNonzeroMagnitude,
    ]

    @Test("PL-34, PL-67: no reported progress reaches a trap, and the fraction stays one", arguments: numbers)
    func progress(_ number: Double) async throws {
        let pipeline = try makePipeline([
            BlockStep<Void, Void>(from: .nothing, to: .nothing) { _, context in
                context.report(fraction: number)
                for count in [Int64.min, -1, 0, 1, .max] {
                    for total in [nil, Int64.min, -1, 0, 1, .max] {
                        context.report(completed: count, of: total)
                    }
                }
            }.weight(number),
            plain(),
        ])
        let progress = pipeline.progress
        try await pipeline.run()
        #expect(progress.fractionCompleted == 1)
        #expect(pipeline.stateWord == "succeeded")
    }

    private static let durations: [Duration] = [
        .seconds(Int64.max), .seconds(Int64.min), .zero, .nanoseconds(-1), .seconds(Int64.max / 2),
    ]

    @Test("PL-34, PL-55: no time-out reaches a trap", arguments: durations)
    func timeouts(_ duration: Duration) async throws {
        let clock = ManualClock()
        clock.advance(by: .seconds(1000))
        let options = PipelineOptions(deadline: duration, grace: duration, watchdog: duration, clock: clock)
        let pipeline = try makePipeline([plain().timeout(duration), plain()], options: options)
        let events = pipeline.events
        try pipeline.start()
        _ = await pipeline.outcome()
        _ = pipeline.explain()
        for await _ in events {}
        #expect(pipeline.isFinished)
    }

    @Test("PL-34: an extreme time-out doesn't overflow on the system's clock", arguments: durations)
    func systemClock(_ duration: Duration) async throws {
        let options = PipelineOptions(deadline: duration, grace: duration, watchdog: duration)
        let pipeline = try makePipeline([plain().timeout(duration), plain()], options: options)
        try pipeline.start()
        _ = await pipeline.outcome()
        #expect(pipeline.isFinished)
    }

    @Test("PL-34, PL-52: no retry policy reaches a trap", arguments: numbers)
    func retries(_ number: Double) async throws {
        for attempts in [Int.min, -1, 0, 1, 3] {
            for wait in Self.durations {
                let policy = RetryPolicy.exponential(
                    attempts: attempts, base: wait, factor: number, cap: wait, when: { _ in true })
                let pipeline = try makePipeline(
                    [plain { throw Broken() }.retrying(policy)],
                    options: .init(clock: ManualClock(runsByItself: true)))
                try pipeline.start()
                guard wait < .seconds(86400) else {
                    pipeline.cancel()
                    continue
                }
                #expect(await pipeline.outcome().failure?.underlying is Broken)
            }
        }
    }

    @Test("PL-34: names and ids may be anything, also in errors, descriptions and explanations")
    func names() async throws {
        for name in ["", "\n", "\0", "%@ %n", String(repeating: "x", count: 100_000), "\u{202E}\u{1F1E9}"] {
            let pipeline = Pipeline(name, id: name)
            try pipeline.addStep(plain(name) { throw Broken() })
            _ = pipeline.explain()
            try pipeline.start()
            let error = await pipeline.outcome().failure
            #expect(error?.step?.name == name)
            #expect(!"\(pipeline) \(pipeline.explain()) \(error.map { "\($0)" } ?? "")".isEmpty)
        }
    }
}
