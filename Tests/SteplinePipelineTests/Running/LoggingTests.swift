import SteplinePipeline
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

@Suite("Logs and texts of pipelines", .timeLimit(.minutes(5)))
struct LoggingTests {
    @Test("a pipeline logs its failure as an error, a retry as a warning, before run returns")
    func levels() async throws {
        let log = StepLog(synchronous: true), reported = Recorder<LogRecord>()
        log.addSink { reported.record($0) }
        let clock = ManualClock(runsByItself: true)
        let retry = RetryPolicy.constant(attempts: 2, delay: .seconds(1), when: { _ in true })
        let options = PipelineOptions(retry: retry, watchdog: .zero, clock: clock, log: log)
        let pipeline = try makePipeline(
            [plain("one"), plain("bad") { throw Broken() }], name: "feed", options: options)
        _ = await pipeline.outcome()
        func lines(_ level: StepLog.Level) -> [String] {
            reported.values.filter { $0.level == level }.map(\.message)
        }
        #expect(
            lines(.warning)
                == ["feed: step 2 of 2 \"bad\" failed: Broken(number: 0); tries again in 1.0 seconds"])
        #expect(lines(.error) == ["feed: step 2 of 2 \"bad\" failed after 2 attempts: Broken(number: 0)"])
        #expect(lines(.info) == ["feed started"])
        #expect(lines(.verbose).contains { $0.hasPrefix("feed step 1 of 2 \"one\" succeeded after ") })
        let warning = try #require(reported.values.first { $0.level == .warning })
        #expect(warning.metadata["pipeline"] == "feed" && warning.metadata["step"] == "bad")
        #expect(
            warning.metadata["attempt"] == "1"
                && warning.metadata["error"]?.hasSuffix("failed: Broken(number: 0)") == true)
    }

    @Test("a failure that the retry policy excludes says so, with the number of attempts")
    func excludedFromRetry() async throws {
        func text(_ policy: RetryPolicy, _ errors: [any Error]) async throws -> String {
            let calls = Recorder<Int>()
            let options = PipelineOptions(
                retry: policy, watchdog: .zero, clock: ManualClock(runsByItself: true))
            let bad = plain("bad") {
                calls.record(0)
                throw errors[min(calls.count, errors.count) - 1]
            }
            return try await "\(makePipeline([bad], name: "feed", options: options).outcome())"
        }
        let excluded = try await text(.constant(attempts: 3), [Broken()])
        let first = "failed after 1 attempt (not retried: the error isn't transient): Broken(number: 0)"
        #expect(excluded.contains(first), "\(excluded)")
        let second = try await text(.constant(attempts: 3), [Advice(isTransient: true), Broken()])
        #expect(second.contains("failed after 2 attempts (not retried: the error isn't "), "\(second)")
        let own = try await text(.constant(attempts: 3, when: { _ in false }), [Advice(isTransient: true)])
        #expect(own.contains("after 1 attempt (not retried: the retry policy excludes the error)"), "\(own)")
        let long = try await text(
            .constant(attempts: 3, cap: .seconds(5)),
            [Advice(isTransient: true, retryAfter: .delay(.seconds(9)))])
        #expect(
            long.contains("asks for a wait of 9.0 seconds, and the policy allows 5.0 seconds)"), "\(long)")
        let spent = try await text(.constant(attempts: 2), [Advice(isTransient: true)])
        #expect(spent.contains("failed after 2 attempts: "), "\(spent)")
        let single = try await text(.none, [Broken()])
        #expect(single.contains("failed: Broken(number: 0)"), "\(single)")
    }

    private struct Advice: RetryAdvising {
        var isTransient: Bool
        var retryAfter: RetryAfter?
    }

    @Test("the lines keep their order if the next attempt begins before the last line is written")
    func order() async throws {
        let sink = SlowSink()
        let retry = RetryPolicy.constant(attempts: 3, delay: .seconds(1), when: { _ in true })
        let options = PipelineOptions(
            retry: retry, watchdog: .zero, clock: ManualClock(runsByItself: true),
            log: sink.makeLog(minimumLevel: .warning))
        let bad = plain("bad") {
            sink.bodyBegins()
            throw Broken()
        }
        _ = try await makePipeline([bad], options: options).outcome()
        #expect(sink.records.map(\.level) == [.warning, .warning, .error])
        #expect(sink.records.prefix(2).map { $0.metadata["attempt"] } == ["1", "2"])
    }

    @Test("the metadata of a record show no secret of a name, like its message")
    func redactedMetadata() async throws {
        let log = StepLog(synchronous: true), reported = Recorder<LogRecord>()
        log.addSink { reported.record($0) }
        let pipeline = try makePipeline(
            [plain("GET http://name:secret@example.com/a")], name: "http://name:secret@example.com",
            options: PipelineOptions(log: log))
        _ = await pipeline.outcome()
        #expect(reported.values.count > 2)
        for record in reported.values {
            #expect(!"\(record.message) \(record.metadata)".contains("secret"))
        }
    }

    @Test("the options carry no log unless one is given; a log at level error gets errors only")
    func chosen() async throws {
        #expect(PipelineOptions().log == nil)
        let log = StepLog(historySize: 9, synchronous: true, minimumLevel: .error)
        _ = await Pipeline("fine", options: .init(log: log)) { plain() }.outcome()
        #expect(log.history.isEmpty)
    }

    @Test("events print as text for people")
    func texts() async throws {
        let pipeline = try makePipeline([plain("one")], name: "feed")
        let events = pipeline.events
        try await pipeline.run()
        var lines: [String] = []
        for await event in events { lines.append("\(event)") }
        #expect(lines.first == "1 \(pipeline.id) started")
        #expect(lines.last == "4 \(pipeline.id) succeeded")
        #expect(lines[1] == "2 \(pipeline.id) step 1 of 1 \"one\" started")
        #expect("\(pipeline.stepProgress)" == "100 % done: 1 of 1 steps")
    }
}
