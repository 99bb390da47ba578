import Foundation
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ExecutorTests {
    /// Keeps what it is handed until the test runs it.
    final class Keeper: WorkExecutor {
        let batches = Recorder<[ReadyWork]>()
        func run(_ batch: [ReadyWork]) { batches.record(batch) }

        var names: [[String]] { batches.values.map { $0.map(\.task.name) } }
    }

    @Test(
        "WF-83: an executor is handed ready work in batches, the most urgent first, and nothing that isn't ready"
    )
    func batches() async throws {
        let keeper = Keeper()
        let workflow = Workflow(options: WorkflowOptions(executor: keeper))
        let first = try workflow.add("first") { 1 }
        let urgent = try workflow.add("urgent", options: TaskOptions(priority: .high)) { 2 }
        let sum = try workflow.add("sum", after: first, urgent) { $0 + $1 }
        try workflow.add("other", after: first) { _ in }
        try workflow.start()
        #expect(keeper.names == [["urgent", "first"]] && first.task.isReady)
        keeper.batches.values[0][1]()
        #expect(first.task.isFinished && keeper.names == [["urgent", "first"], ["other"]])
        keeper.batches.values[0][0]()
        keeper.batches.values[1][0]()
        #expect(keeper.names.last == ["sum"])
        keeper.batches.values[2][0]()
        #expect(sum.result == 3)
        #expect(workflow.status == .settled(.finished))
    }

    @Test("WF-83: work that is called twice, or after a cancel, does nothing")
    func stale() throws {
        let keeper = Keeper()
        let calls = Recorder<String>()
        let workflow = Workflow(options: WorkflowOptions(executor: keeper))
        try workflow.add("once") { calls.record("once") }
        let off = try workflow.add("off") { calls.record("off") }
        try workflow.start()
        off.task.cancel()
        for _ in 0..<2 { for work in keeper.batches.values[0] { work() } }
        #expect(calls.values == ["once"])
    }

    @Test("WF-83: of work handed out again after a cancel and a retry, only the last does anything")
    func staleAfterRetry() throws {
        let keeper = Keeper()
        let calls = Recorder<String>()
        let workflow = Workflow(options: WorkflowOptions(executor: keeper))
        let task = try workflow.add("task") { calls.record("task") }
        try workflow.start()
        for _ in 0..<2 {
            task.task.cancel()
            task.task.retry()
        }
        let works = keeper.batches.values.flatMap(\.self)
        #expect(works.count == 3)
        for work in works.dropLast() { work() }
        #expect(calls.count == 0 && task.task.isReady)
        works.last?()
        #expect(calls.count == 1 && task.task.isFinished && task.task.snapshot.attempt == 1)
    }

    @Test("WF-82, WF-83: work in a queue that was taken away meanwhile, and begun elsewhere, does nothing")
    func queueTakenAway() async throws {
        let queue = OperationQueue()
        queue.isSuspended = true
        let gate = Gate()
        let workflow = Workflow(queue: queue)
        let task = try workflow.add(HandTask())
        try workflow.start()
        #expect(queue.operationCount == 1 && task.isReady)
        workflow.queue = nil
        task.cancel()
        task.retry()
        let attempt = await task.attempt()
        queue.isSuspended = false
        queue.addBarrierBlock { gate.open() }
        await gate.wait()
        #expect(task.attempts.count == 1 && task.isExecuting)
        attempt.finish()
        await workflow.settle()
        #expect(task.isFinished)
    }

    @Test("WF-83, WF-84: the limit holds behind an executor and on an operation queue, too")
    func limit() async throws {
        let keeper = Keeper()
        let workflow = Workflow(options: WorkflowOptions(maximumConcurrency: 1, executor: keeper))
        let one = try workflow.add(HandTask(name: "one"))
        let two = try workflow.add(HandTask(name: "two"))
        try workflow.start()
        for work in keeper.batches.values[0] { work() }
        #expect(one.isExecuting && two.isReady)
        await one.attempt().finish()
        #expect(keeper.names == [["one", "two"], ["two"]])
        keeper.batches.values[1][0]()
        await two.attempt().finish()
        #expect(workflow.status == .settled(.finished))

        let queue = OperationQueue()
        let live = Recorder<Int>()
        let now = Locked(0)
        let queued = Workflow(queue: queue, options: WorkflowOptions(maximumConcurrency: 2))
        for index in 0..<50 {
            try queued.add("\(index)") {
                live.record(
                    now.withLock {
                        $0 += 1; return $0
                    })
                now.withLock { $0 -= 1 }
            }
        }
        try await queued.run()
        #expect(live.count == 50 && live.values.allSatisfy { $0 <= 2 })
    }

    @Test("WF-82, WF-83: a task's operation queue goes before the executor")
    func queueFirst() async throws {
        let keeper = Keeper()
        let workflow = Workflow(options: WorkflowOptions(executor: keeper))
        let task = try workflow.add(HandTask())
        task.queue = OperationQueue()
        try workflow.start()
        await task.attempt().finish()
        #expect(keeper.batches.count == 0)
    }
}
