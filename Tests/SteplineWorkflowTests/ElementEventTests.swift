import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

@testable import SteplineWorkflow

@Suite("Elements of maps in events, logs, reports and progress", .timeLimit(.minutes(5)))
struct ElementEventTests {
    /// How a map gets its elements.
    enum Source: CaseIterable {
        case collection, result, growing
    }

    /// Adds the task `list`, and the map `page` over 0, 1 and 2.
    @discardableResult
    private func addMap(
        _ source: Source, to workflow: Workflow, options: TaskOptions = .init(),
        _ body: @escaping @Sendable (Int) async throws -> Int
    ) throws -> TaskRef<[Int]> {
        let list = try workflow.add("list") { [0, 1, 2] }
        return switch source {
        case .collection: try workflow.map("page", over: 0..<3, options: options) { try await body($0) }
        case .result: try workflow.map("page", over: list, options: options) { try await body($0) }
        case .growing:
            try workflow.grow("page", from: [0], key: { "\($0)" }, options: options) { number, more in
                if number < 2 { more.add(number + 1) }
                return try await body(number)
            }
        }
    }

    private func isSettled(_ event: WorkflowEvent) -> Bool {
        if case .settled = event.kind { true } else { false }
    }

    @Test("the events of a workflow include those of a map's elements", arguments: Source.allCases)
    func events(_ source: Source) async throws {
        let workflow = Workflow("night"), log = EventLog(workflow)
        try addMap(source, to: workflow) { $0 }
        try await workflow.run()
        let events = await log.until(isSettled)
        for name in ["page[0]", "page[1]", "page[2]"] {
            let kinds = events.filter { $0.name == name }.map(\.kind)
            #expect(kinds.first == .added && kinds.suffix(2) == [.started, .finished], "\(name): \(kinds)")
        }
        #expect(events.map(\.number) == Array(1...events.count))
        // The identity of an element begins with that of the map.
        if source == .result { #expect(events.first { $0.name == "page[2]" }?.task?.path == [2, 3]) }
        let end = try #require(events.firstIndex { $0.name == "page" && $0.kind == .finished })
        #expect(events[end...].allSatisfy { !$0.name.hasPrefix("page[") })
        // An event of an element may come after a later one of another task. A map over a collection begins last.
        let elements = events.filter { $0.name.hasPrefix("page[") && $0.kind != .added }
        #expect(elements.allSatisfy { $0.time <= events[end].time })
        guard source != .collection else { return }
        let begin = try #require(events.first { $0.name == "page" && $0.kind == .started })
        #expect(elements.allSatisfy { begin.time <= $0.time })
    }

    @Test("a reader that joins while elements run gets their ends")
    func lateReader() async throws {
        let workflow = Workflow("night"), gate = Gate()
        let map = try addMap(.result, to: workflow) { number in
            await gate.wait()
            return number
        }
        try workflow.start()
        await gate.waitForArrivals(3)
        let log = EventLog(workflow)
        gate.open()
        _ = try await map.value
        let names = await log.until(isSettled).filter { $0.kind == .finished }.map(\.name)
        #expect(Set(names) == ["page[0]", "page[1]", "page[2]", "page"])
    }

    @Test("without a reader, or when the last one is gone, no event of an element is made")
    func noReader() async throws {
        let workflow = Workflow("night")
        let map = try addMap(.result, to: workflow) { $0 }
        try await workflow.run()
        let inside = try #require((map.task as? SubworkflowTask)?.subworkflow.core)
        #expect(!inside.look { $0.eventLog.recordsEvents || $0.eventLog.hasReaders })
        var log: EventLog? = EventLog(workflow)
        map.task.reset()
        try await workflow.run()
        _ = await log?.until(isSettled)
        #expect(inside.look { $0.eventLog.hasReaders })
        log = nil
        await eventually {
            // Dropped streams are found by the next event.
            workflow.rename("night")
            map.task.reset()
            return !inside.look { $0.eventLog.hasReaders }
        }
    }

    @Test("the log of a workflow has lines for a map's elements", arguments: Source.allCases)
    func logs(_ source: Source) async throws {
        let log = StepLog(synchronous: true), reported = Recorder<LogRecord>()
        log.addSink { reported.record($0) }
        let workflow = Workflow("night", options: .init(log: log))
        try addMap(source, to: workflow) { number in
            if number == 1 { throw Broken(number: 1) }
            return number
        }
        await workflow.settle()
        let lines = reported.values
        #expect(lines.count { $0.message == "night: page[0] finished" } == 1)
        let failure = try #require(lines.first { $0.metadata["task"] == "page[1]" && $0.level == .error })
        #expect(failure.message == "night: page[1] failed: Broken(number: 1)")
        #expect(failure.metadata["workflow"] == "night")
        #expect(lines.last?.message == "night has settled: failed")
    }

    @Test("a report has the attempts of a map's elements", arguments: Source.allCases)
    func attempts(_ source: Source) async throws {
        let clock = ManualClock(runsByItself: true), calls = Recorder<Int>()
        let workflow = Workflow("night", options: .init(keptAttempts: 4, clock: clock))
        let retry = RetryPolicy.constant(attempts: 2, delay: .seconds(1), when: { _ in true })
        try addMap(source, to: workflow, options: .init(retry: retry)) { number in
            calls.record(number)
            if number == 1, calls.values.count(where: { $0 == 1 }) == 1 { throw Broken() }
            return number
        }
        let report = try await workflow.run()
        let ofOne = report.attempts.filter { $0.task.name == "page[1]" }
        #expect(ofOne.map(\.ending) == [.retried, .finished])
        #expect(report.attempts(of: try #require(ofOne.first).task.id).map(\.number) == [1, 2])
        #expect(report.attempts.count { $0.task.name.hasPrefix("page[") } == 4)
        #expect(workflow.report().attempts.count == report.attempts.count)
    }

    @Test(
        "the progress of a workflow counts a map's elements, and its explanation has the unfinished ones",
        arguments: Source.allCases)
    func progress(_ source: Source) async throws {
        let workflow = Workflow("night"), gate = Gate(), seen = Recorder<WorkflowProgress>()
        try addMap(source, to: workflow) { number in
            if number == 2 { await gate.wait() }
            return number
        }
        workflow.onProgress { seen.record($0) }
        try workflow.start()
        await gate.waitForArrivals()
        await eventually { workflow.progress.finished == 3 }
        #expect(workflow.progress.total == 4 && workflow.progress.fraction == 0.75)
        #expect(workflow.explain().contains { $0.subject == "page[2]" && $0.code == .running })
        gate.open()
        try await workflow.run()
        #expect(workflow.progress.fraction == 1 && workflow.progress.finished == 4)
        #expect(workflow.explain().isEmpty)
        await eventually { seen.values.last?.finished == 4 }
    }

    @Test("a failed element is told once, with its cause, and the map by a count", arguments: Source.allCases)
    func failures(_ source: Source) async throws {
        let workflow = Workflow("night")
        let map = try addMap(source, to: workflow) { number in
            if number == 1 { throw Broken(number: 1) }
            return number
        }
        let error = await workflowError { try await workflow.run() }
        let report = try #require(error?.report)
        // A failed element adds nothing to a growing map.
        let count = source == .growing ? 2 : 3
        let lines = ["page[1] failed: Broken(number: 1)", "page failed: 1 of \(count) elements failed"]
        #expect("\(report)" == (["failed"] + lines).joined(separator: "\n"))
        #expect(error?.description == "night: 2 tasks failed; " + lines.joined(separator: "; "))
        // Alone, the error of the map has its cause.
        #expect("\(map.task.snapshot)" == "Failed: page[1]: element 1 has failed; Broken(number: 1)")
        #expect(workflow.report().failures.map(\.task.name) == ["page[1]", "page"])
    }

    @Test("a subworkflow around a map fails with the cause, as the outer report has no elements")
    func failuresAround() async throws {
        let (workflow, inner) = (Workflow("night"), Workflow("inner"))
        try addMap(.result, to: inner) { number in
            if number == 1 { throw Broken(number: 1) }
            return number
        }
        try workflow.add(SubworkflowTask(name: "inner", subworkflow: inner))
        let error = await workflowError { try await workflow.run() }
        let text = "\(try #require(error?.report))"
        #expect(text.hasPrefix("failed\ninner failed: ") && text.contains("page[1]"), "\(text)")
        #expect(text.hasSuffix("Broken(number: 1)"), "\(text)")
    }

    @Test("of several failed elements, the error of a map has the first and the count")
    func severalFailures() async throws {
        for source in [Source.collection, .result] {
            let workflow = Workflow("night")
            let map = try addMap(source, to: workflow) { number in
                if number > 0 { throw Broken(number: number) }
                return number
            }
            let error = await workflowError { try await workflow.run() }
            #expect(error?.report?.failures.last?.description == "page failed: 2 of 3 elements failed")
            let text = "element 1 has failed, the first of 2 failures in 3 elements; Broken(number: 1)"
            #expect("\(map.task.snapshot)" == "Failed: page[1]: \(text)")
        }
    }

    @Test("a map that collects failures reports those of its elements", arguments: [false, true])
    func collected(overResult: Bool) async throws {
        let workflow = Workflow("night")
        let list = try workflow.add("list") { [0, 1, 2] }
        let body: @Sendable (Int) async throws -> Int = { number in
            if number == 1 { throw Broken(number: 1) }
            return number
        }
        if overResult {
            try workflow.mapCollectingFailures("page", over: list, body: body)
        } else {
            try workflow.mapCollectingFailures("page", over: 0..<3) { try await body($0) }
        }
        let report = try await workflow.run()
        #expect(report.failures.map(\.description) == ["page[1] failed: Broken(number: 1)"])
    }

    @Test("events and progress of a workflow leave out the tasks of a subworkflow")
    func subworkflows() async throws {
        let workflow = Workflow("night"), log = EventLog(workflow), inner = Workflow("inner")
        try inner.add("task") { 1 }
        try workflow.add(SubworkflowTask(name: "inner", subworkflow: inner))
        let report = try await workflow.run()
        let events = await log.until(isSettled)
        #expect(!events.contains { $0.name == "task" })
        #expect(workflow.progress.total == 1 && report.attempts.isEmpty)
    }
}
