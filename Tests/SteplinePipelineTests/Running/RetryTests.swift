import Foundation
import SteplinePipeline
import SteplineSupport
import SteplineTesting
import Testing

@Suite("Retrying", .timeLimit(.minutes(5)))
struct RetryTests {
    private struct Busy: RetryAdvising {
        var isTransient = true
        var retryAfter: RetryAfter?
    }

    private func attempts(
        of error: any Error, _ policy: RetryPolicy = .none, pipeline: RetryPolicy = .none
    ) async throws -> Int {
        let runs = Recorder<Void>()
        let step = plain {
            runs.record(())
            throw error
        }
        if policy.attempts > 1 { step.retrying(policy) }
        let clock = ManualClock(runsByItself: true)
        let pipeline = try makePipeline([step], options: .init(retry: pipeline, clock: clock))
        try pipeline.start()
        _ = await pipeline.outcome()
        return runs.count
    }

    @Test("PL-52: nothing is retried unless asked; a step's policy comes before the pipeline's")
    func whoDecides() async throws {
        #expect(try await attempts(of: Busy()) == 1)
        #expect(try await attempts(of: Busy(), pipeline: .exponential()) == 3)
        #expect(try await attempts(of: Busy(), .constant(attempts: 5), pipeline: .exponential()) == 5)
        let runs = Recorder<Void>()
        let step = plain {
            runs.record(()); throw Busy()
        }.retrying(.none)
        let pipeline = try makePipeline([step], options: .init(retry: .exponential()))
        try pipeline.start()
        _ = await pipeline.outcome()
        #expect(runs.count == 1)
    }

    @Test("PL-52: only the failing step is repeated, with the same bag")
    func sameBag() async throws {
        let log = Recorder<String>()
        let number = ContentKey<Int>("number")
        let pipeline = try makePipeline(
            [
                BlockStep<Void, Int>(to: number) {
                    log.record("first"); return 1
                },
                BlockStep<Int, Int>(from: number, to: number) { value, context in
                    log.record("\(value)/\(context.attempt)")
                    if context.attempt < 3 { throw Busy() }
                    return value + 1
                },
            ],
            options: .init(
                retry: .exponential(), watchdog: .seconds(86400), clock: ManualClock(runsByItself: true)))
        #expect(try await pipeline.run(returning: number) == 2)
        #expect(log.values == ["first", "1/1", "1/2", "1/3"])
    }

    @Test("PL-53: by default only transient failures are retried; never cancellation or wrong input")
    func whatIsRetried() async throws {
        for code in [URLError.Code.timedOut, .networkConnectionLost, .cannotConnectToHost] {
            #expect(try await attempts(of: URLError(code), pipeline: .exponential()) == 3)
        }
        #expect(try await attempts(of: POSIXError(.ECONNREFUSED), pipeline: .exponential()) == 3)
        #expect(try await attempts(of: Busy(isTransient: false), pipeline: .exponential()) == 1)
        #expect(try await attempts(of: Broken(), pipeline: .exponential()) == 1)
        #expect(try await attempts(of: URLError(.badURL), pipeline: .exponential()) == 1)
        let always = RetryPolicy.exponential(when: { _ in true })
        #expect(try await attempts(of: CancellationError(), pipeline: always) == 1)
    }

    @Test("PL-54: waits grow up to the cap, and are never shorter than what the error asks for")
    func waits() async throws {
        #expect(try await waits(of: Busy()) == [.seconds(1), .seconds(2), .seconds(3)])
        #expect(try await waits(of: Busy(retryAfter: .delay(.seconds(2)))) == [2, 2, 3].map { .seconds($0) })
        let date = Date(timeIntervalSinceReferenceDate: 3)
        #expect(try await waits(of: Busy(retryAfter: .date(date))) == [3, 2, 3].map { .seconds($0) })
        #expect(try await waits(of: Busy(retryAfter: .delay(.seconds(4)))) == [])
    }

    @Test("PL-54: a Retry-After is found through layers of errors")
    func wishThroughLayers() async throws {
        let inner = try makePipeline([plain { throw Busy(retryAfter: .delay(.seconds(3))) }])
        try inner.start()
        let error = try #require(await inner.outcome().failure)
        #expect(try await waits(of: error) == [3, 3, 3].map { .seconds($0) })
    }

    private func waits(of error: any Error) async throws -> [Duration] {
        let policy = RetryPolicy.exponential(attempts: 4, base: .seconds(1), cap: .seconds(3), jitter: .none)
        let pipeline = try makePipeline(
            [plain { throw error }],
            options: .init(retry: policy, watchdog: .seconds(86400), clock: ManualClock(runsByItself: true)))
        let events = pipeline.events
        try pipeline.start()
        var waits: [Duration] = []
        for await event in events {
            if case .retrying(_, _, _, let wait) = event.kind { waits.append(wait) }
        }
        return waits
    }

    @Test(
        "PL-54, PL-56: three hours of retries, and all timestamps, go by a manual clock, to the last error")
    func threeHours() async throws {
        let clock = ManualClock(start: Date(timeIntervalSinceReferenceDate: 1000), runsByItself: true)
        let policy = RetryPolicy.constant(attempts: 181, delay: .seconds(60), when: { _ in true })
        let pipeline = try makePipeline(
            [
                BlockStep<Void, Void>(to: .nothing) { (_: Void, context: StepContext) throws in
                    throw Broken(number: context.attempt)
                }
            ], options: .init(retry: policy, watchdog: .seconds(86400), clock: clock))
        let events = pipeline.events
        try pipeline.start()
        let error = await pipeline.outcome().failure
        #expect(error?.attempt == 181 && error?.underlying as? Broken == Broken(number: 181))
        var times: [Date] = []
        for await event in events { times.append(event.time) }
        #expect(times.first == Date(timeIntervalSinceReferenceDate: 1000))
        #expect(times.last == Date(timeIntervalSinceReferenceDate: 1000 + 3 * 3600))
    }
}
