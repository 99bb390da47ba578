import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import Testing

@Suite(.timeLimit(.minutes(5)))
struct RunningTests {
    /// Records what a workflow's delegate hears.
    final class Listener: WorkflowDelegate {
        let received = Recorder<String>()
        func workflowDidFinish(_ workflow: Workflow) { received.record("workflow finished") }
        func workflow(_ workflow: Workflow, task: WorkflowTask, didFailWith error: (any Error)?) {
            received.record("workflow: \(task.name) failed")
        }
        func workflow(_ workflow: Workflow, taskDidCancel task: WorkflowTask) {
            received.record("workflow: \(task.name) cancelled")
        }
    }

    @Test("WF-43: start starts every Ready task, root or not")
    func startsAll() async throws {
        let workflow = Workflow()
        let root = try workflow.add(HandTask())
        let below = try workflow.add(HandTask(), prerequisites: [root])
        try root.start()
        await root.attempt().finish()
        await below.attempt().finish()
        below.reset()
        await below.untilReady()
        try workflow.start()
        await below.attempt(2).finish()
        #expect(below.isFinished && root.attempts.count == 1)
    }

    @Test("WF-44: an empty workflow reports finish once per start, before start returns")
    func empty() throws {
        let listener = Listener()
        let workflow = Workflow()
        workflow.delegate = listener
        try workflow.start()
        #expect(listener.received.values == ["workflow finished"])
        try workflow.start()
        #expect(listener.received.count == 2)
        workflow.cancel()
        workflow.reset()
        workflow.retry()
        #expect(listener.received.count == 2)
    }

    @Test("WF-45: retry runs all Failed and Cancelled tasks again, and keeps results")
    func retryAll() async throws {
        let workflow = Workflow()
        let calls = Recorder<String>()
        let isMended = Locked(false)
        let first = try workflow.add("first") { calls.record("first") }
        let second = try workflow.add("second", after: first) { _ in
            calls.record("second")
            if !isMended.withLock({ $0 }) { throw Broken() }
        }
        let third = try workflow.add("third", after: second) { _ in calls.record("third") }
        await workflow.settle()
        #expect(second.task.isFailed && third.task.isPending)
        isMended.withLock { $0 = true }
        workflow.retry()
        try await third.value
        #expect(calls.values == ["first", "second", "second", "third"])
    }

    @Test("WF-46, WF-48: completion is reported each time it is reached, and hasUnfinishedTasks follows it")
    func completion() async throws {
        let listener = Listener()
        let workflow = Workflow()
        workflow.delegate = listener
        #expect(workflow.hasUnfinishedTasks == false && workflow.status == .idle)
        let first = try workflow.add(named("first"))
        let second = try workflow.add(named("second"))
        #expect(workflow.hasUnfinishedTasks)
        try await workflow.run()
        #expect(listener.received.values == ["workflow finished"])
        #expect(workflow.hasUnfinishedTasks == false && workflow.status == .settled(.finished))
        second.reset()
        #expect(workflow.hasUnfinishedTasks)
        try await workflow.run()
        #expect(listener.received.count == 2)
        try await workflow.run()
        #expect(listener.received.count == 2 && first.snapshot.attempt == 1)
    }

    @Test(
        "WF-43, WF-49: a run also starts a task whose reset is still being notified",
        arguments: [false, true])
    func startedBeforeReport(_ isRerun: Bool) async throws {
        let workflow = Workflow()
        let gate = Gate()
        let task = try workflow.add("task") {}
        task.task.onSuccess { _ in if task.task.snapshot.attempt == 1 { _ = gate.block() } }
        try workflow.start()
        await gate.waitForArrivals()
        if isRerun {
            try workflow.rerun(from: task.task)
        } else {
            task.task.reset()
            try workflow.start()
        }
        gate.open()
        try await task.value
        #expect(task.task.snapshot.attempt == 2 && task.task.isFinished)
    }

    @Test("WF-49, WF-61: an end just before a run starts isn't the run's outcome")
    func settledBefore() async throws {
        for _ in 0..<300 {
            let workflow = Workflow()
            let consent = try workflow.addCondition("consent", of: Int.self)
            let below = try workflow.add("below", after: consent) { $0 + 1 }
            let other = try workflow.add("other") { 1 }
            consent.fulfill(with: 1)
            try await workflow.run()
            #expect(below.result == 2 && other.result == 1)
        }
    }

    @Test("WF-43, WF-49: run starts what is Ready, whether it starts the workflow or joins it")
    func joining() async throws {
        let workflow = Workflow()
        let held = try workflow.add(HandTask(name: "held"))
        let reset = try workflow.add(HandTask(name: "reset"))
        let first = Task { try await workflow.run() }
        let attempt = await held.attempt()
        let old = await reset.attempt()
        reset.reset()
        // The stopped body is over: the task does not wait for the grace period.
        old.finish()
        await reset.untilReady()
        let second = Task { try await workflow.run() }
        let again = await reset.attempt(2)
        again.finish()
        attempt.finish()
        #expect(try await first.value.ending == .finished)
        #expect(try await second.value.ending == .finished)
    }

    @Test("WF-47, WF-48, WF-49: a failure is in the report with its error, as are blocked tasks")
    func failure() async throws {
        let listener = Listener()
        let workflow = Workflow("order")
        workflow.delegate = listener
        let bad = try workflow.add("bad") { () throws -> Int in throw Broken(number: 9) }
        try workflow.add("below", after: bad) { _ in }
        let free = try workflow.add("free") { 1 }
        let error = await workflowError { try await workflow.run() }
        #expect(error?.code == .tasksFailed)
        #expect(error?.report?.failures.map { $0.error as? Broken } == [Broken(number: 9)])
        #expect(error?.report?.failures.first?.task.name == "bad")
        #expect(error?.report?.blocked.map(\.name) == ["below"])
        #expect(error?.description.contains("bad") == true)
        #expect(workflow.hasFailedTasks && workflow.status == .settled(.failed) && free.result == 1)
        #expect(listener.received.values == ["workflow: bad failed"])
    }

    @Test("WF-49: a failure that all dependents allow isn't one of the run, and is in its report")
    func livedWith() async throws {
        let workflow = Workflow(options: .init(onFailure: .cancelOthers))
        let price = try workflow.add("price") { () throws -> Int in throw Broken(number: 1) }
        let rounded = try workflow.add("rounded", after: price) { $0 / 10 * 10 }
        try workflow.add("safe", after: rounded.allowingFailure) { (try? $0.get()) ?? -1 }
        let each = try workflow.mapCollectingFailures("each", over: 0..<4) { number in
            if number == 2 { throw Broken(number: number) }
        }
        let report = try await workflow.run()
        #expect(report.ending == .finished && workflow.status == .settled(.finished))
        #expect(report.failures.map(\.task.name).sorted() == ["each[2]", "price"])
        #expect(report.blocked.map(\.name) == ["rounded"])
        #expect(try each.readValue().count == 4)

        let outer = Workflow("outer")
        let around = try outer.add(SubworkflowTask(subworkflow: workflow))
        try await outer.run()
        #expect(around.isFinished)
        workflow.reset()
        around.reset()
        try await outer.run()
        #expect(around.isFinished && workflow.hasFailedTasks)
    }

    @Test("WF-49: a failure that a dependent needs, or that has no dependents, is one of the run")
    func notLivedWith() async throws {
        let workflow = Workflow()
        let price = try workflow.add("price") { () throws -> Int in throw Broken(number: 1) }
        try workflow.add("safe", after: price.allowingFailure) { (try? $0.get()) ?? -1 }
        #expect(try await workflow.run().failures.count == 1)
        try workflow.add("strict", after: price) { $0 }
        #expect(await workflowError { try await workflow.run() }?.code == .tasksFailed)
        let alone = Workflow()
        let failing = try alone.add("alone") { throw Broken(number: 1) }
        try alone.addCleanup("clean", after: [failing.task]) {}
        #expect(await workflowError { try await alone.run() }?.code == .tasksFailed)
    }

    @Test("WF-47, WF-49: a cancelled run ends as cancelled, one with an unfinished task as incomplete")
    func otherOutcomes() async throws {
        let workflow = Workflow(options: .init(grace: .zero))
        let task = try workflow.add(HandTask())
        let run = Task { try await workflow.run() }
        let ends = Recorder<Outcome<RunReport>>()
        workflow.onEnd { ends.record($0) }
        _ = await task.attempt()
        #expect(workflow.cancel("enough") && !workflow.cancel("again"))
        await #expect(throws: CancellationError.self) { try await run.value }
        await ends.waitForCount(1)
        #expect(ends.values[0].cancellation == "enough")
        #expect(workflow.status == .settled(.cancelled("enough")))

        let other = Workflow(options: .init(grace: .zero))
        let first = try other.add(HandTask(name: "first"))
        let second = try other.add(HandTask(name: "second"))
        let waiting = Task { await workflowError { try await other.run() } }
        let attempt = await first.attempt()
        _ = await second.attempt()
        second.reset()
        attempt.finish()
        #expect(await waiting.value?.code == .incomplete)
    }

    @Test("WF-50: cancelling the Swift task that runs it cancels the workflow, and waits for live bodies")
    func cancelledRun() async throws {
        let workflow = Workflow(options: .init(grace: .seconds(3600)))
        let gate = Gate()
        let isOver = Locked(false)
        try workflow.add("body") {
            gate.block()
            isOver.withLock { $0 = true }
        }
        let run = Task { () -> Bool in
            do {
                try await workflow.run()
                return false
            } catch {
                return error is CancellationError && isOver.withLock { $0 }
            }
        }
        await gate.waitForArrivals()
        run.cancel()
        await workflow.allTasks[0].cancelled()
        gate.open()
        #expect(await run.value)
    }

    @Test("WF-51: rerun resets a task and all downstream, and keeps every other result")
    func rerun() async throws {
        let workflow = Workflow()
        let calls = Recorder<String>()
        let first = try workflow.add("first") { calls.record("first") }
        let second = try workflow.add("second", after: first) { _ in calls.record("second") }
        try workflow.add("third", after: second) { _ in calls.record("third") }
        try await workflow.run()
        try workflow.rerun(from: second.task)
        await workflow.settle()
        #expect(calls.values == ["first", "second", "third", "second", "third"])
    }
}

extension WorkflowTask {
    /// Waits until the task is cancelled.
    func cancelled() async {
        _ = try? await TaskRef<Int>(self).value
    }
}
