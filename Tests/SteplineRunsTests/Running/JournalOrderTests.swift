import Foundation
import SteplineRunsTesting
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import TestSupport
import Testing

@testable import SteplineRuns

/// A run's journal with entries that come late, or in another order than the decisions.
@Suite(.timeLimit(.minutes(5)))
struct JournalOrderTests {
    /// Collects what becomes of a workflow's tasks.
    private final class Collector: TaskJournal {
        let entries = Recorder<JournalEntry>()

        func record(_ entry: JournalEntry) -> Bool {
            entries.record(entry)
            return false
        }
        func idempotencyKey(of number: Int) -> String { "\(number)" }
        func takeOver(_ number: Int, attempt: Int, _ inputs: TaskInputs) -> TakenResult? { nil }
        func restoredTasks(_ numbers: Range<Int>) -> [RestoredTask] { [] }
    }

    /// Hands all bodies to another process, and collects their ends.
    private final class Elsewhere: TaskJournal {
        let ends = Recorder<JournalEntry>()
        let bodies = Recorder<BodyElsewhere>()
        var hasBodiesElsewhere: Bool { true }

        func record(_ entry: JournalEntry) -> Bool {
            if entry.isAwaited { ends.record(entry) }
            return false
        }
        func runsElsewhere(_ body: BodyElsewhere) -> Bool {
            bodies.record(body)
            return true
        }
        func idempotencyKey(of number: Int) -> String { "\(number)" }
        func takeOver(_ number: Int, attempt: Int, _ inputs: TaskInputs) -> TakenResult? { nil }
        func restoredTasks(_ numbers: Range<Int>) -> [RestoredTask] { [] }
    }

    private let clock = ManualClock(start: moment())

    /// Starts a workflow, and returns its first entries once that many have come.
    private func entries(
        _ count: Int, of workflow: Workflow, _ act: () -> Void = {}
    ) async throws -> [JournalEntry] {
        let collector = Collector()
        #expect(workflow.begin(collector, restoring: [], isCareful: false, isRelaxed: false))
        try workflow.start()
        await collector.entries.waitForCount(1)
        act()
        await collector.entries.waitForCount(count)
        workflow.end(collector)
        return collector.entries.values
    }

    /// How the only step of a workflow is kept after these entries.
    private func keep(_ entries: [JournalEntry], of workflow: Workflow) async throws -> StepRecord? {
        let store = MemoryRunStore(), none = Interruptions([:])
        let run = try store.openTest()
        let writer = RunWriter(run, faults: workflow.faults, send: { _ in }, failed: {})
        let journal = RunJournal(
            RunGraph(workflow).parts[0], of: .test, writer, token: 1, clock: clock, interruptions: none,
            elements: KeptElements([:], valid: [], none, retryingFailures: false) { _ in [] },
            cache: ResultCache(store, for: "w", input: nil, clock: clock), recomputed: [], offers: nil,
            signals: { _ in })
        for entry in entries { _ = journal.record(entry) }
        await writer.flush()
        return try store.steps().first
    }

    @Test(arguments: [false, true])
    func `DR-16: a condition's wait counts from its begin, also if its interruption is recorded first`(
        isSwapped: Bool
    ) async throws {
        let workflow = Workflow("order", options: WorkflowOptions(clock: clock))
        try workflow.add(
            ExternalConditionTask(name: "answer", of: Int.self, options: TaskOptions(timeout: .seconds(100))))
        let entries = try await entries(2, of: workflow) { workflow.cancel(.awaitingTask) }
        let step = try await keep(isSwapped ? entries.reversed() : entries, of: workflow)
        #expect(entries.count == 2 && step?.state == .running && step?.began == moment())
    }

    @Test func `DR-16: a retry is due at the time of the decision and its wait, also if it is kept late`()
        async throws
    {
        struct Failure: Error {}
        let workflow = Workflow("order", options: WorkflowOptions(clock: clock))
        let retry = RetryPolicy.constant(attempts: 2, delay: .seconds(60), when: { _ in true })
        try workflow.add("fails", options: TaskOptions(retry: retry)) { throw Failure() }
        let entries = try await entries(2, of: workflow)
        clock.advance(by: .seconds(10))
        let step = try await keep(entries, of: workflow)
        #expect(step?.state == .waiting && step?.due == moment(60))
        #expect(step?.began == moment() && step?.ended == moment())
    }

    @Test(arguments: [false, true])
    func `DR-41: a worker's result that is stored before the owner's deadline is the end of the attempt`(
        comesBefore: Bool
    ) async throws {
        let workflow = Workflow("order", options: WorkflowOptions(clock: clock))
        let step = try workflow.add("a", options: TaskOptions(deadline: .seconds(10))) { 1 }
        let journal = Elsewhere()
        #expect(workflow.begin(journal, restoring: [], isCareful: false, isRelaxed: false))
        let running = Task { try await workflow.run() }
        await journal.bodies.waitForCount(1)
        await clock.waitForScheduled(after: .seconds(10))
        clock.advance(by: .seconds(10))
        await journal.ends.waitForCount(1)
        let body = journal.bodies.values[0]
        // The store has the result, and refuses the failure.
        if comesBefore { BodyElsewhere.end([(body, .finished(2))]) }
        workflow.wasRefused([journal.ends.values[0]])
        if !comesBefore { BodyElsewhere.end([(body, .finished(2))]) }
        try #require(step.task.state == .executing)
        await journal.ends.waitForCount(2)
        workflow.wasKept([journal.ends.values[1]])
        _ = try await running.value
        #expect(step.result == 2 && !workflow.hasBody(0))
        workflow.end(journal)
    }
}
