import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import TestSupport
import Testing

@Suite("Logs and texts of workflows", .timeLimit(.minutes(5)))
struct LoggingTests {
    @Test("a workflow logs failures as errors, failed attempts as warnings, and its end")
    func levels() async throws {
        let log = StepLog(synchronous: true), reported = Recorder<LogRecord>()
        log.addSink { reported.record($0) }
        let clock = ManualClock(runsByItself: true)
        let workflow = Workflow("night", options: .init(clock: clock, log: log))
        let retry = RetryPolicy.constant(attempts: 2, delay: .seconds(1), when: { _ in true })
        try workflow.add("load", options: .init(retry: retry)) { () throws -> Int in throw Broken() }
        try workflow.add("other") { 1 }
        await workflow.settle()
        func lines(_ level: StepLog.Level) -> [String] {
            reported.values.filter { $0.level == level }.map(\.message)
        }
        #expect(lines(.warning) == ["night: load failed: Broken(number: 0); tries again in 1.0 seconds"])
        #expect(
            lines(.error) == [
                "night: load (attempt 2) failed: Broken(number: 0)", "night has settled: failed",
            ])
        #expect(lines(.info).contains("night willStart"))
        let failure = try #require(reported.values.first { $0.level == .error })
        #expect(failure.metadata["task"] == "load" && failure.metadata["error"] == "Broken(number: 0)")
        #expect(lines(.verbose).contains { $0.hasSuffix("other finished") })
    }

    @Test("the lines keep their order if the next attempt begins before the last line is written")
    func order() async throws {
        let sink = SlowSink()
        let log = sink.makeLog(minimumLevel: .warning)
        let workflow = Workflow(options: .init(clock: ManualClock(runsByItself: true), log: log))
        let retry = RetryPolicy.constant(attempts: 3, delay: .seconds(1), when: { _ in true })
        try workflow.add("load", options: .init(retry: retry)) { () throws -> Int in
            sink.bodyBegins()
            throw Broken()
        }
        await workflow.settle()
        // The last two: the failed task, and the failed run.
        #expect(sink.records.map(\.level) == [.warning, .warning, .error, .error])
        #expect(sink.records.prefix(3).map { $0.metadata["attempt"] } == ["1", "2", "3"])
    }

    @Test("the metadata of a record show no secret of a name, like its message")
    func redactedMetadata() async throws {
        let log = StepLog(synchronous: true), reported = Recorder<LogRecord>()
        log.addSink { reported.record($0) }
        let workflow = Workflow("http://name:secret@example.com", options: .init(log: log))
        try workflow.add("GET http://name:secret@example.com/a") { 1 }
        await workflow.settle()
        #expect(reported.values.count > 2)
        for record in reported.values {
            #expect(!"\(record.message) \(record.metadata)".contains("secret"))
        }
    }

    @Test("a log that is switched off, or without a sink, gets nothing and makes no event")
    func silent() async throws {
        let log = StepLog(historySize: 5, synchronous: true)
        log.isEnabled = false
        let workflow = Workflow("night", options: .init(log: log))
        try workflow.add("load") { () throws -> Int in throw Broken() }
        await workflow.settle()
        #expect(log.history.isEmpty)
    }

    @Test("a failure that the retry policy excludes says so, in the log and in the report")
    func excludedFromRetry() async throws {
        let log = StepLog(historySize: 100, synchronous: true, minimumLevel: .error)
        let workflow = Workflow("night", options: .init(log: log))
        try workflow.add("load", options: .init(retry: .constant(attempts: 3))) { () throws -> Int in
            throw Broken()
        }
        let error = await workflowError { try await workflow.run() }
        let text = "load failed: Broken(number: 0) (not retried: the error isn't transient)"
        #expect(log.history.first?.hasSuffix("=> night: \(text)") == true)
        #expect(error?.description == "night: 1 task failed; \(text)")
    }

    @Test("the duration of a report is the time from the start of the run to its end")
    func duration() async throws {
        let clock = ManualClock(runsByItself: true)
        let workflow = Workflow("night", options: .init(clock: clock)), calls = Recorder<Int>()
        let retry = RetryPolicy.constant(attempts: 2, delay: .seconds(10), when: { _ in true })
        let task = try workflow.add("load", options: .init(retry: retry)) { () throws -> Int in
            calls.record(0)
            if calls.count == 1 { throw Broken() }
            return 1
        }
        #expect(workflow.report().duration == .zero)
        #expect(try await workflow.run().duration == .seconds(10))
        clock.advance(by: .seconds(5))
        #expect(workflow.report().duration == .seconds(10))
        // The next run begins anew.
        task.task.reset()
        #expect(try await workflow.run().duration == .zero)
    }

    @Test("states, changes, reports and progress print as text for people")
    func texts() async throws {
        let workflow = Workflow("night")
        #expect("\(workflow.status)" == "idle")
        let changes = Recorder<String>()
        let task = try workflow.add("load") { () throws -> Int in throw Broken() }
        let blocked = try workflow.add("parse", after: task) { $0 + 1 }
        let subscription = task.task.observe { changes.record("\($0)") }
        await workflow.settle()
        #expect(changes.values.last == "Executing -> Failed: Broken(number: 0)")
        #expect("\(workflow.status)" == "settled: failed")
        #expect("\(workflow.progress)" == "0 % done: 0 of 2 finished, 1 failed")
        #expect("\(blocked.task.snapshot)" == "Pending")
        let error = await workflowError { try await workflow.run() }
        let report = try #require(error?.report)
        #expect("\(report)" == "failed\nload failed: Broken(number: 0)\nblocked: parse")
        #expect("\(RunReport.Ending.cancelled("enough"))" == "cancelled: enough")
        #expect("\(task)" == "load (Failed)")
        #expect("\(AttemptRecord.Wait(cause: .thread, duration: .seconds(2)))" == "2.0 seconds for a thread")
        subscription.cancel()
    }
}
