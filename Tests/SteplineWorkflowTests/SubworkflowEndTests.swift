import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import TestSupport
import Testing

/// How a task around a workflow fails, takes too long and tries again, and what that does inside.
@Suite(.timeLimit(.minutes(5)))
struct SubworkflowEndTests {
    private static let retry = RetryPolicy.constant(attempts: 3, delay: .seconds(2)) { _ in true }

    @Test("WF-69: a policy tries again what has failed inside, and nothing else")
    func policy() async throws {
        let inner = Workflow("inner")
        let (tries, others) = (Recorder<Void>(), Recorder<Void>())
        let fetch = try inner.add("fetch") { () throws -> Int in
            tries.record(())
            if tries.count < 3 { throw Broken(number: tries.count) }
            return 7
        }
        try inner.add("other") { others.record(()) }
        let outer = Workflow("outer", options: .init(clock: ManualClock(runsByItself: true)))
        let task = try outer.add(SubworkflowTask(subworkflow: inner, options: .init(retry: Self.retry)))
        #expect(await outer.outcome().isSuccess)
        #expect(tries.count == 3 && others.count == 1)
        #expect(fetch.result == 7 && task.snapshot.attempt == 3)
    }

    @Test("WF-69: a policy's last failure is that of the task")
    func lastFailure() async throws {
        let inner = Workflow("inner")
        let tries = Recorder<Void>()
        try inner.add("fetch") {
            tries.record(())
            throw Broken(number: tries.count)
        }
        let outer = Workflow("outer", options: .init(clock: ManualClock(runsByItself: true)))
        let task = try outer.add(SubworkflowTask(subworkflow: inner, options: .init(retry: Self.retry)))
        await outer.settle()
        #expect(task.error as? Broken == Broken(number: 3) && tries.count == 3)
    }

    /// Runs until it is cancelled.
    private static func runOn() async throws {
        await untilCancelled()
        try Task.checkCancellation()
    }

    @Test("WF-79: a time-out of a task around a workflow stops what is inside, which its policy begins anew")
    func timeout() async throws {
        let clock = ManualClock()
        let inner = Workflow("inner")
        let tries = Recorder<Void>()
        let fetch = try inner.add("fetch") { () async throws -> Int in
            tries.record(())
            if tries.count == 1 { try await Self.runOn() }
            return 7
        }
        let outer = Workflow("outer", options: .init(clock: clock))
        let task = try outer.add(
            SubworkflowTask(
                subworkflow: inner, options: .init(retry: Self.retry, timeout: .seconds(60))))
        try outer.start()
        await tries.waitForCount(1)
        await clock.waitForScheduled(after: .seconds(60))
        clock.advance(by: .seconds(60))
        // Not before the stopped body is over.
        await clock.waitForScheduled(after: .seconds(2))
        #expect(fetch.task.isCancelled)
        clock.advance(by: .seconds(2))
        #expect(await outer.outcome().isSuccess)
        #expect(fetch.result == 7 && task.isFinished && tries.count == 2)
    }

    @Test(
        "WF-79, WF-80: without a policy it has failed by that, and what is inside was cancelled",
        arguments: [TaskOptions(timeout: .seconds(60)), TaskOptions(deadline: .seconds(60))])
    func timedOut(options: TaskOptions) async throws {
        let clock = ManualClock()
        let inner = Workflow("inner")
        let began = Gate()
        let fetch = try inner.add("fetch") { () async throws in
            began.open()
            try await Self.runOn()
        }
        let outer = Workflow("outer", options: .init(clock: clock))
        let task = try outer.add(SubworkflowTask(subworkflow: inner, options: options))
        try outer.start()
        await began.wait()
        await clock.waitForScheduled(after: .seconds(60))
        clock.advance(by: .seconds(60))
        await outer.settle()
        #expect((task.error as? WorkflowError)?.code == .timedOut)
        #expect(fetch.task.isCancelled && fetch.task.snapshot.cancellation?.code == .surroundings)
    }

    @Test("WF-70: a failure inside ends the task at once; bodies that continue inside count as its live body")
    func livesOn() async throws {
        let inner = Workflow("inner")
        let bad = try inner.add(HandTask())
        let slow = try inner.add(HandTask())
        let outer = Workflow()
        let log = EventLog(outer)
        let task = try outer.add(SubworkflowTask(subworkflow: inner))
        try outer.start()
        let attempt = await slow.attempt()
        await bad.attempt().fail(with: Broken())
        await TaskRef<Workflow>.settled(task)
        #expect(task.isFailed && slow.isExecuting && outer.status == .running)
        #expect(!log.events.values.contains { if case .settled = $0.kind { true } else { false } })
        attempt.finish(with: 1)
        _ = await log.until { if case .settled = $0.kind { true } else { false } }
        #expect(slow.isFinished && task.isFailed && outer.status == .settled(.failed))
    }

    @Test("WF-85: the check reports a pool that a task holds and its inside needs")
    func poolAround() throws {
        let pool = ConcurrencyPool("net", capacity: 1)
        let polite = TaskOptions(pools: [pool: 1])
        let innermost = Workflow("innermost")
        try innermost.add("deep", options: polite) {}
        let inner = Workflow("inner")
        try inner.add(SubworkflowTask(name: "sub", subworkflow: innermost))
        let beside = Workflow("beside")
        try beside.add("free") {}
        try inner.add(SubworkflowTask(name: "held", subworkflow: beside, options: polite))
        let list = try inner.add("list") { [1, 2] }
        try inner.map("page", over: list, options: polite) { $0 }
        let outer = Workflow("outer")
        try outer.add("beside", options: polite) {}
        try outer.add(SubworkflowTask(name: "around", subworkflow: inner, options: polite))
        let issues = outer.check()
        #expect(issues.map(\.code) == [.poolHeldAround, .poolHeldAround, .poolHeldAround])
        for name in ["deep", "held", "page"] {
            #expect(issues.contains { $0.place.hasSuffix(name) }, "\(name)")
        }
        #expect(workflowError { try outer.start() }?.code == .checkFailed)
        pool.capacity = 2
        #expect(outer.check().map(\.severity) == [.warning, .warning, .warning])
    }

    @Test("WF-54: where a failure cancels all others, it cancels what goes on inside the failed task as well")
    func cancelsOthersInside() async throws {
        let inner = Workflow("inner")
        let bad = try inner.add(HandTask())
        let never = try inner.add(ExternalConditionTask(name: "never"))
        let outer = Workflow("outer", options: .init(onFailure: .cancelOthers))
        let task = try outer.add(SubworkflowTask(subworkflow: inner))
        try outer.start()
        await bad.attempt().fail(with: Broken())
        await outer.settle()
        #expect(task.isFailed && never.isCancelled)
    }

    @Test("WF-65: a cancel inside between two attempts of the enclosing task cancels that inner task")
    func cancelledBetween() async throws {
        let inner = Workflow("inner")
        let bad = try inner.add(HandTask())
        let slow = try inner.add(HandTask())
        let outer = Workflow("outer", options: .init(clock: ManualClock()))
        let task = try outer.add(SubworkflowTask(subworkflow: inner, options: .init(retry: Self.retry)))
        let log = EventLog(outer)
        try outer.start()
        let attempt = await slow.attempt()
        await bad.attempt().fail(with: Broken())
        _ = await log.until { if case .attemptFailed = $0.kind { true } else { false } }
        slow.cancel()
        attempt.finish()
        await outer.settle()
        #expect(task.isCancelled && bad.attempts.count == 1 && slow.attempts.count == 1)
    }

    @Test("WF-54, WF-69: a failure inside that cancels the others there is a failure, which is tried again")
    func cancelsThere() async throws {
        let inner = Workflow("inner", options: .init(onFailure: .cancelOthers))
        let tries = Recorder<Void>(), second = OneShot<Void>()
        try inner.add("bad") {
            tries.record(())
            if tries.count == 1 { throw Broken() }
            second.fulfill(())
        }
        let other = try inner.add("other") { () async throws in
            // Runs until the second try, in which it may begin first, or until it is cancelled.
            let end = OneShot<Bool>()
            Task {
                await second.value
                end.fulfill(true)
            }
            let isOver = await withTaskCancellationHandler {
                await end.value
            } onCancel: {
                end.fulfill(false)
            }
            if !isOver { throw CancellationError() }
        }
        let outer = Workflow("outer", options: .init(clock: ManualClock(runsByItself: true)))
        try outer.add(SubworkflowTask(subworkflow: inner, options: .init(retry: Self.retry)))
        #expect(await outer.outcome().isSuccess)
        #expect(tries.count == 2 && other.task.isFinished)
    }
}
