import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import Testing

@Suite(.timeLimit(.minutes(5)))
struct CleanupTests {
    @Test(
        "WF-57: a cleanup runs when all it guards have ended, however they did",
        arguments: ["finish", "fail", "cancel"])
    func runs(_ end: String) async throws {
        let workflow = Workflow()
        let task = try workflow.add(HandTask())
        let below = try workflow.add(named("below"), prerequisites: [task])
        let runs = Recorder<Bool>()
        let cleanup = try workflow.addCleanup("clean", after: [task, below]) {
            runs.record(below.isPending || below.isFinished || below.isCancelled)
        }
        #expect(task.dependents == [below] && workflow.tasksWithNoDependents.contains(below))
        try workflow.start()
        let attempt = await task.attempt()
        #expect(cleanup.task.isPending)
        switch end {
        case "finish": attempt.finish()
        case "fail": attempt.fail(with: Broken())
        default:
            workflow.cancel()
            attempt.finish()
        }
        try await cleanup.value
        await workflow.settle()
        #expect(runs.values == [true])
        #expect(workflow.hasUnfinishedTasks == (end != "finish"))
    }

    @Test(
        "WF-57: a cleanup begins once the body of a task that was cancelled or timed out has ended, or its grace is over",
        arguments: ["cancel", "time-out"], [true, false])
    func afterBody(_ end: String, _ endsInTime: Bool) async throws {
        let clock = ManualClock()
        let workflow = Workflow(options: .init(grace: .seconds(5), clock: clock))
        let gate = OneShot<Void>()
        let begun = OneShot<Void>()
        let isOver = Locked(false)
        let task = try workflow.add(
            "body", options: .init(timeout: .seconds(1))
        ) {
            begun.fulfill(())
            await gate.value
            isOver.withLock { $0 = true }
        }
        let wasOver = Locked<Bool?>(nil)
        let cleanup = try workflow.addCleanup("clean", after: [task.task]) {
            wasOver.withLock { $0 = isOver.withLock { $0 } }
        }
        try workflow.start()
        await begun.value
        if end == "cancel" { workflow.cancel() } else { clock.advance(by: .seconds(1)) }
        #expect(!task.task.isExecuting && cleanup.task.isReady)
        #expect("\(workflow.explain(cleanup.task))".contains("waits for the bodies that it guards to end"))
        if endsInTime { gate.fulfill(()) } else { clock.advance(by: .seconds(5)) }
        try await cleanup.value
        #expect(wasOver.withLock { $0 } == endsInTime)
        gate.fulfill(())
        await workflow.settle()
    }

    @Test(
        "WF-57: a cleanup of tasks that never began isn't needed, and doesn't affect the workflow's outcome")
    func notNeeded() async throws {
        let workflow = Workflow()
        let task = try workflow.add(HandTask())
        let cleanup = try workflow.addCleanup("clean", after: workflow.allTasks) {}
        task.cancel()
        #expect(cleanup.task.isCancelled)
        task.retry()
        await task.attempt().finish()
        try await cleanup.value
        #expect(cleanup.task.isFinished && !workflow.hasUnfinishedTasks)
    }

    @Test(
        "WF-57: only its own cancel, or the workflow's on request, cancels a cleanup; its failure is the workflow's"
    )
    func cancelled() async throws {
        let workflow = Workflow()
        let task = try workflow.add(HandTask())
        let cleanup = try workflow.addCleanup("clean", after: [task]) { throw Broken() }
        let other = try workflow.addCleanup("other", after: [task]) {}
        try workflow.start()
        let attempt = await task.attempt()
        other.task.cancel()
        #expect(other.task.isCancelled && task.isExecuting)
        attempt.finish()
        await workflow.settle()
        #expect(cleanup.task.isFailed && workflow.hasFailedTasks)
        let more = Workflow()
        try more.add(HandTask())
        let last = try more.addCleanup("last", after: more.allTasks) {}
        more.cancel(includingCleanups: true)
        #expect(last.task.isCancelled)
    }

    @Test("WF-58: when a guarded task runs again, a cleanup that had ended runs again after it")
    func again() async throws {
        let workflow = Workflow()
        let task = try workflow.add(HandTask())
        let runs = Recorder<Int>()
        let cleanup = try workflow.addCleanup("clean", after: [task]) { runs.record(task.snapshot.attempt) }
        try workflow.start()
        await task.attempt(1).fail(with: Broken())
        try await cleanup.value
        task.retry()
        #expect(cleanup.task.isPending)
        await task.attempt(2).finish()
        try await cleanup.value
        #expect(runs.values == [1, 2])
    }

    @Test("WF-110: only a cleanup may depend on a cleanup")
    func misuse() throws {
        let workflow = Workflow()
        try workflow.add(named("task"))
        let cleanup = try workflow.addCleanup("clean", after: workflow.allTasks) {}
        #expect(
            workflowError { try workflow.add(named("x"), prerequisites: [cleanup.task]) }?.code
                == .cleanupPrerequisite)
        #expect(
            workflowError { try workflow.add("x", following: [cleanup]) {} }?.code == .cleanupPrerequisite)
    }

    @Test("WF-57: a cleanup waits again for what a cancellation kept back, and an allowed failure frees")
    func freed() async throws {
        let workflow = Workflow(), ran = Recorder<Void>()
        let (first, second) = (try workflow.add(HandTask()), try workflow.add(HandTask()))
        let needy = try workflow.add(HandTask(), prerequisites: [first, second])
        let reader = try workflow.add(HandTask(), prerequisites: [needy], allowingFailureOf: [needy])
        let other = try workflow.add(HandTask())
        let cleanup = try workflow.addCleanup("clean", after: [reader, other]) { ran.record(()) }
        for task in [first, other] { try task.start() }
        second.cancel()
        // The cancellation keeps it from running, so the cleanup waits for the other task only.
        needy.reset()
        await first.attempt().fail(with: Broken())
        let attempt = await reader.attempt()
        await other.attempt().finish()
        #expect(cleanup.task.isPending && ran.count == 0)
        attempt.finish()
        try await cleanup.value
        #expect(ran.count == 1)
    }

    @Test("WF-57: a failure that blocks one of what a cleanup guards, and frees another, doesn't begin it")
    func blockedAndFreed() async throws {
        let workflow = Workflow(), ran = Recorder<Void>()
        let (first, second) = (try workflow.add(HandTask()), try workflow.add(HandTask()))
        let blocked = try workflow.add(HandTask(), prerequisites: [first])
        let needy = try workflow.add(HandTask(), prerequisites: [blocked, second])
        let reader = try workflow.add(HandTask(), prerequisites: [needy], allowingFailureOf: [needy])
        let cleanup = try workflow.addCleanup("clean", after: [blocked, reader]) { ran.record(()) }
        try first.start()
        second.cancel()
        needy.reset()
        await first.attempt().fail(with: Broken())
        let attempt = await reader.attempt()
        #expect(cleanup.task.isPending && ran.count == 0)
        attempt.finish()
        try await cleanup.value
        #expect(ran.count == 1)
    }

    @Test("WF-57: a cleanup that is added, or started, behind what never began isn't needed")
    func addedAfter() async throws {
        let workflow = Workflow()
        let task = try workflow.add(HandTask())
        task.cancel()
        let runs = Recorder<String>()
        let early = try workflow.addCleanup("early", after: [task]) { runs.record("early") }
        try workflow.start()
        await workflow.settle()
        let other = try workflow.add(HandTask())
        try other.start()
        let attempt = await other.attempt()
        try workflow.start()
        let late = try workflow.addCleanup("late", after: [task]) { runs.record("late") }
        attempt.finish()
        await workflow.settle()
        #expect(runs.values.isEmpty && early.task.isCancelled && late.task.isCancelled)
    }

    @Test("WF-57: a cleanup names the tasks that it guards; without one it is refused, and nothing is added")
    func guardsNothing() throws {
        let workflow = Workflow("night")
        let error = workflowError { try workflow.addCleanup("tidy up", after: []) {} }
        #expect(error?.code == .noPrerequisite && workflow.taskCount == 0)
        #expect(error?.description.contains("after: workflow.allTasks") == true)
    }

    @Test("WF-57: after allTasks, a task that was added before is guarded, and one that is added later isn't")
    func addedLater() async throws {
        let workflow = Workflow("night")
        let early = try workflow.add(HandTask())
        let order = Recorder<String>()
        let cleanup = try workflow.addCleanup("tidy up", after: workflow.allTasks) { order.record("tidy up") }
        let late = try workflow.add(HandTask())
        try workflow.start()
        await early.attempt().finish()
        try await cleanup.value
        #expect(order.values == ["tidy up"] && late.isExecuting)
        await late.attempt().finish()
        await workflow.settle()
    }
}
