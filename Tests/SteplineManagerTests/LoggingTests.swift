import SteplineManager
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

@Suite("Logs of managers", .timeLimit(.minutes(5)))
struct LoggingTests {
    private let bodies = Recorder<Int>()

    private struct Refused: ErrorWithCause, ErrorWithStatus, CustomStringConvertible {
        let statusCode: Int? = 503
        let underlying: (any Error)? = nil
        var description: String { "GET http://name:secret@example.com/a: status 503" }
    }

    @Test("MG-85: a failed task is logged as an error with subject, error, status, attempts and duration")
    func failure() async throws {
        let log = StepLog(synchronous: true), reported = Recorder<LogRecord>()
        log.addSink { reported.record($0) }
        log.minimumLevel = .error
        let clock = ManualClock()
        let manager = TaskManager("cities", options: .init(clock: clock, log: log))
        let handle = manager.add("paris") {
            clock.advance(by: .seconds(2))
            throw Refused()
        }
        _ = await handle.outcome()
        _ = try await manager.run(Count(bodies: bodies))
        try await manager.shutdown()
        let record = try #require(reported.values.first)
        #expect(reported.values.count == 1 && record.level == .error && log.minimumLevel == .error)
        #expect(
            record.message.hasPrefix("\(handle) paris finished: failed after 1 attempt in 2.0 seconds: GET "))
        #expect(record.message.hasSuffix("example.com/a: status 503") && !record.message.contains("secret"))
        #expect(record.metadata["status"] == "503" && record.metadata["duration"] == "2.0 seconds")
        #expect(record.metadata["error"]?.hasSuffix("status 503") == true)
        #expect(record.metadata["task"] == "paris" && record.metadata["attempt"] == "1")
    }

    @Test("MG-85: the lines keep their order if the next attempt begins before the last line is written")
    func order() async throws {
        let sink = SlowSink(blocksAt: "requeued"), clock = ManualClock()
        let backoff = Backoff.exponential(base: .seconds(1), factor: 1, jitter: .none)
        let reactor = Reacting(
            configuration: .init(requeuesTask: true, maximumRequeues: 2, backoff: backoff))
        let manager = TaskManager(
            "cities", reactors: [reactor],
            options: .init(watchdog: nil, clock: clock, log: sink.makeLog()))
        let handle = manager.add("paris") {
            sink.bodyBegins()
            throw Refused()
        }
        for _ in 0..<2 {
            await clock.waitForScheduled(after: .seconds(1))
            clock.advance(by: .seconds(1))
        }
        _ = await handle.outcome()
        let attempts = sink.records.compactMap { $0.metadata["attempt"] }
        #expect(attempts == attempts.sorted() && attempts.last == "3", "\(sink.records.map(\.message))")
        try await manager.shutdown()
    }

    @Test("MG-85: an outcome that is asked for after the end waits for the line of the end")
    func lastLine() async throws {
        let log = StepLog(synchronous: true), gate = Gate(), written = Recorder<String>(),
            began = Recorder<Int>()
        log.addSink { record in
            guard record.message.contains("finished") else { return }
            gate.block()
            written.record(record.message)
        }
        let manager = TaskManager("cities", options: .init(log: log))
        let handle = manager.add("paris") { 1 }
        await gate.waitForArrivals()
        #expect(handle.currentOutcome != nil)
        let waits = (0..<8).map { number in
            Task {
                began.record(number)
                _ = await handle.outcome()
                return written.count
            }
        }
        await began.waitForCount(waits.count)
        gate.open()
        for wait in waits { #expect(await wait.value == 1) }
        try await manager.shutdown()
    }

    @Test("MG-85: the metadata of a record show no secret of a task's name, like its message")
    func redactedMetadata() async throws {
        let log = StepLog(synchronous: true), reported = Recorder<LogRecord>()
        log.addSink { reported.record($0) }
        let manager = TaskManager("http://name:secret@example.com", options: .init(log: log))
        _ = try await manager.add("GET http://name:secret@example.com/a?token=secret") { 1 }.value
        try await manager.shutdown()
        #expect(reported.values.count > 3)
        for record in reported.values {
            #expect(!"\(record.message) \(record.metadata)".contains("secret"))
        }
    }

    @Test("events and states of managed tasks print as text for people")
    func texts() async throws {
        let states: [TaskState] = [.pending(.slot), .executing(nil), .finished(.failed)]
        #expect(states.map { "\($0)" } == ["pending (slot)", "executing", "finished: failed"])
        let manager = TaskManager(), events = manager.events
        let handle = manager.add("paris") { 1 }
        _ = try await handle.value
        try await manager.shutdown()
        var lines: [String] = []
        for await event in events { lines.append("\(event)") }
        #expect(lines.contains("5 \(handle) paris finished: succeeded"), "\(lines)")
    }
}
