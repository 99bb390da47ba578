import Dispatch
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

@Suite("The log", .timeLimit(.minutes(5)))
struct LogTests {
    @Test("MG-85: levels are ordered, with their letters; the minimum level holds back lesser ones")
    func levels() {
        #expect(StepLog.Level.allCases.map(\.letter) == ["V", "D", "I", "W", "E"])
        #expect(StepLog.Level.verbose < .error)
        let log = StepLog(historySize: 9, synchronous: true, minimumLevel: .warning)
        log.info("no")
        log.warning("yes")
        log.minimumLevel = .info
        log.info("now")
        #expect(log.history.count == 2)
    }

    @Test(
        "MG-86: sinks are called in order of adding, before a synchronous call returns; they can be removed")
    func sinks() {
        let log = StepLog(synchronous: true), reported = Recorder<String>()
        let first = log.addSink { reported.record("1 \($0.message)") }
        log.addSink { reported.record("2 \($0.message)") }
        log.info("a")
        log.removeSink(first)
        log.info("b")
        log.removeAllSinks()
        log.info("c")
        #expect(reported.values == ["1 a", "2 a", "2 b"])
    }

    @Test("MG-86: a sink gets all records after it was added, also while others are removed")
    func removalsBeside() {
        let log = StepLog(synchronous: true), reported = Recorder<Int>()
        let rounds = Chance.isSoak ? 50_000 : 5_000
        DispatchQueue.concurrentPerform(iterations: 2) { thread in
            for _ in 0..<rounds {
                let sink = log.addSink { _ in reported.record(thread) }
                if thread == 0 { log.info("a") }
                log.removeSink(sink)
            }
        }
        #expect(reported.values.filter { $0 == 0 }.count == rounds)
    }

    @Test("MG-86: a sink may log, and that record follows its own; flush waits for all")
    func loggingSinks() async {
        let log = StepLog(), reported = Recorder<String>()
        let sink = log.addSink { record in
            if record.message == "a" { log.info("inner") }
            reported.record(record.message)
        }
        // The sink and the log retain each other.
        defer { log.removeSink(sink) }
        log.info("a")
        log.info("b")
        await log.flush()
        #expect(reported.values.sorted() == ["a", "b", "inner"] && reported.values.first == "a")
    }

    @Test("MG-87: a line tells level, time, thread, file, function, and tags only if asked")
    func line() {
        let log = StepLog(historySize: 2, synchronous: true)
        log.error("lost", tags: ["feed"], file: "a/Thing.swift", function: "load(_:)", line: 7)
        log.outputsTags = true
        log.error("lost", tags: ["feed"], file: "a/Thing.swift", function: "load(_:)", line: 7)
        #expect(log.history[0].wholeMatch(of: /\[E:\d+\.\d\d\]\[(UI|BG):\d+,Thing:7,load\] => lost/) != nil)
        #expect(log.history[1].contains(",Thing:7,load,feed] => lost"))
    }

    @Test("MG-88: filterUnless passes what has one of its tags, filterIf drops and wins")
    func filters() {
        let log = StepLog(historySize: 10, synchronous: true)
        log.filterUnless(tag: "feed")
        log.filterUnless(tags: ["E", "LogTests"])
        log.filterIf(tag: "noise")
        log.info("a", tags: ["feed"])
        log.info("b", tags: ["feed", "noise"])
        log.info("c", file: "Other.swift")
        log.error("d", file: "Other.swift")
        log.info("e", from: self, file: "Other.swift")
        let last = log.history.compactMap { $0.last.map(String.init) }
        #expect(last == ["a", "d", "e"])
        #expect(log.passingTags == ["feed", "E", "LogTests"] && log.droppedTags == ["noise"])
        log.removeFilters()
        log.info("f", file: "Other.swift")
        #expect(log.history.count == 4)
    }

    @Test("MG-89: silent or without readers, a text is never built; history keeps the last lines")
    func silence() {
        let built = Recorder<Int>()
        @Sendable func text(_ number: Int) -> String {
            built.record(number)
            return "\(number)"
        }
        StepLog(synchronous: true).info(text(0))
        let log = StepLog(historySize: 3, synchronous: true)
        log.isEnabled = false
        log.info(text(1))
        #expect(built.count == 0 && log.history.isEmpty)
        log.isEnabled = true
        for number in 0..<5 { log.info(text(number)) }
        #expect(log.history.map { $0.suffix(1) } == ["2", "3", "4"])
    }

    @Test("MG-90: a record has what a handler of another logging library takes")
    func forwarding() {
        let log = StepLog(synchronous: true), reported = Recorder<LogRecord>()
        log.addSink { reported.record($0) }
        log.log(.warning, "x", metadata: ["task": "load"], source: "SteplineManager")
        let record = reported.values.first
        #expect(record?.level == .warning && record?.message == "x" && record?.source == "SteplineManager")
        #expect(record?.metadata == ["task": "load"] && record?.function == "forwarding()")
    }

    private final class NosySink: LogSink {
        let log: StepLog
        let freed: Recorder<Void>
        init(_ log: StepLog, _ freed: Recorder<Void>) {
            self.log = log
            self.freed = freed
        }
        func write(_ record: LogRecord) {}
        deinit {
            log.info("freed")
            freed.record(())
        }
    }

    @Test("MG-86, MG-91: a sink that logs when it is freed, by its removal, finds the log unlocked")
    func removedSinks() {
        let log = StepLog(synchronous: true), freed = Recorder<Void>()
        log.removeSink(log.addSink(NosySink(log, freed)))
        #expect(freed.count == 1)
        log.addSink(NosySink(log, freed))
        log.removeAllSinks()
        #expect(freed.count == 2)
    }
}
