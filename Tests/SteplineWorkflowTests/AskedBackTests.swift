import Foundation
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import TestSupport
import Testing

/// User code may call the workflow whenever it is called; a held lock would hang the test.
@Suite("A user's code runs under no lock", .timeLimit(.minutes(5)))
struct AskedBackTests {
    /// Asks the workflow for its text, and once more when it is freed.
    private final class NosyError: Error, CustomStringConvertible {
        let ask: @Sendable () -> Void
        init(_ ask: @escaping @Sendable () -> Void) { self.ask = ask }
        var description: String {
            ask()
            return "nosy"
        }
        deinit { ask() }
    }

    /// A key that asks the workflow whenever it is hashed, compared, described or freed.
    private struct NosyKey: Hashable, Sendable, CustomStringConvertible {
        let error: NosyError
        var description: String { error.description }
        func hash(into hasher: inout Hasher) { error.ask() }
        static func == (left: Self, right: Self) -> Bool {
            left.error.ask()
            return left.error === right.error
        }
    }

    /// A queue that asks a task and its workflow when it is freed.
    private final class NosyQueue: OperationQueue, @unchecked Sendable {
        let ask: @Sendable () -> Void
        init(_ ask: @escaping @Sendable () -> Void) { self.ask = ask }
        deinit { ask() }
    }

    @Test("WF-25: a clock, an error's text and a value's end that ask the workflow back never find it locked")
    func nosy() async throws {
        // The base jumps to its next deadline, and would let deadlines and the watchdog expire.
        let clock = ReentrantClock(
            ManualClock(runsByItself: true), droppingDelaysFrom: .seconds(30))
        let workflow = Workflow(
            "asked",
            options: .init(deadline: .seconds(900), watchdog: .seconds(60), keptAttempts: 2, clock: clock))
        let stepLog = StepLog()
        clock.onCall {
            _ = (workflow.status, workflow.progress, workflow.taskCount, workflow.allTasks.first?.state)
            stepLog.info("\(workflow)")
        }
        defer { clock.onCall(nil) }
        let ask: @Sendable () -> Void = { [weak workflow] in _ = (workflow?.status, workflow?.progress) }
        let attempts = Recorder<Void>()
        let options = TaskOptions(
            retry: .constant(attempts: 3, delay: .seconds(1)) { _ in true }, timeout: .seconds(60),
            deadline: .seconds(600))
        let first = try workflow.add("first", options: options) { () throws -> NosyError in
            attempts.record(())
            if attempts.count < 3 { throw NosyError(ask) }
            return NosyError(ask)
        }
        try workflow.add("second", after: first, options: options) { (_: NosyError) async in NosyError(ask) }
        let log = EventLog(workflow)
        try await workflow.run()
        _ = await log.until { if case .settled = $0.kind { true } else { false } }
        _ = (workflow.explain(), workflow.explain(first.task).description, workflow.check())
        workflow.reset()
        workflow.cancel()
        workflow.retry()
        try await workflow.run()
        #expect(attempts.count == 4 && clock.callCount > 10)
    }

    @Test("WF-25: a key's text, hash and equality that ask the workflow back never find it locked")
    func nosyKeys() async throws {
        let workflow = Workflow("asked", options: .init(keptAttempts: 2))
        let asked = Recorder<Void>()
        let ask: @Sendable () -> Void = { [weak workflow] in
            _ = (workflow?.status, workflow?.progress)
            asked.record(())
        }
        var key: PrerequisiteKey? = PrerequisiteKey(NosyKey(error: NosyError(ask)))
        let first = try workflow.add(named("first"))
        let second = BlockTask(name: "second") { $0.finish() }
        if let key {
            try workflow.add(second, keyedPrerequisites: [key: first])
            try await workflow.run()
            #expect(second.prerequisiteResult(forKey: key) as? String == "first")
            #expect(try second.prerequisiteResult(forKey: key) == "first")
            #expect(second.keyedPrerequisiteResults.count == 1 && second.keyedPrerequisites[key] === first)
        }
        #expect(workflow.graph().edges.map(\.keys) == [["nosy"]])
        #expect(workflow.report().graph?.edges.map(\.keys) == [["nosy"]])
        key = nil
        let before = asked.count
        #expect(workflow.forget([second]).isEmpty)
        // Freed with the task that is forgotten, if not a moment later by the thread that has told of its end.
        await asked.waitForCount(before + 1)
        #expect(asked.count == before + 1)
    }

    @Test("WF-25: a queue that asks back when it is freed, as another takes its place, finds nothing locked")
    func nosyQueues() throws {
        let workflow = Workflow(), asked = Recorder<Void>()
        let task = try workflow.add(HandTask())
        let ask: @Sendable () -> Void = { [weak workflow, weak task] in
            _ = (workflow?.queue, workflow?.status, task?.queue, task?.state)
            asked.record(())
        }
        workflow.queue = NosyQueue(ask)
        task.queue = NosyQueue(ask)
        workflow.queue = nil
        task.queue = nil
        #expect(asked.count == 2)
    }

    @Test("WF-25: a result that asks its task when it is freed, by a reset of a task alone, finds no lock")
    func nosyPast() async throws {
        let asked = Recorder<Void>(), own = Locked<WorkflowTask?>(nil)
        var workflow: Workflow? = Workflow()
        let task = BlockTask { attempt in
            attempt.finish(
                with: NosyError {
                    _ = own.withLock { $0 }?.state
                    asked.record(())
                })
        }
        own.withLock { $0 = task }
        try workflow?.add(task)
        try await workflow?.run()
        workflow = nil
        // The thread that has notified the end may hold the workflow a moment longer.
        await eventually { task.taskID == nil }
        task.reset()
        // The thread that has ended the attempt may hold what it ended with a moment longer.
        await asked.waitForCount(1)
        await task.untilReady()
        #expect(asked.count == 1 && task.isReady)
        own.withLock { $0 = nil }
    }
}
