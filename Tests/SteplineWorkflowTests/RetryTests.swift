import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct RetryTests {
    @Test("WF-76, WF-78, WF-81: attempts follow after the delays of the policy, by the workflow's clock")
    func policy() async throws {
        let clock = ManualClock()
        let workflow = Workflow(options: .init(clock: clock))
        let log = EventLog(workflow)
        let policy = RetryPolicy.exponential(
            attempts: 3, base: .seconds(1), factor: 2, jitter: .none, when: { $0 is Broken })
        let task = HandTask(name: "task", options: .init(retry: policy))
        try workflow.add(task)
        try workflow.start()
        await task.attempt(1).fail(with: Broken(number: 1))
        // Until its body has returned, only its grace is on the clock.
        await clock.waitForScheduled(after: .seconds(1))
        #expect(task.isReady && workflow.explain(task).description.contains("waits before another attempt"))
        #expect(task.hooks.count == 0)
        clock.advance(by: .seconds(1))
        await task.attempt(2).fail(with: Broken(number: 2))
        await clock.waitForScheduled(after: .seconds(2))
        clock.advance(by: .milliseconds(1999))
        #expect(task.attempts.count == 2)
        clock.advance(by: .milliseconds(1))
        await task.attempt(3).fail(with: Broken(number: 3))
        #expect(task.isFailed && task.error as? Broken == Broken(number: 3))
        #expect(task.hooks.values == ["didFail"])
        let events = await log.until { if case .failed = $0.kind { true } else { false } }
        let waits = events.compactMap { event -> Duration? in
            if case .attemptFailed(_, let wait) = event.kind { wait } else { nil }
        }
        #expect(waits == [.seconds(1), .seconds(2)])
    }

    @Test("WF-77: errors that the policy excludes, and cancelled attempts, aren't retried")
    func condition() async throws {
        let workflow = Workflow()
        let policy = RetryPolicy.constant(attempts: 5, delay: .zero, when: { _ in true })
        let calls = Recorder<Int>()
        let cancelled = try workflow.add("cancelled", options: .init(retry: policy)) { () throws -> Void in
            calls.record(1)
            throw CancellationError()
        }
        await workflow.settle()
        #expect(cancelled.task.isFailed && calls.count == 1)
    }

    @Test("WF-76: a reset counts the attempts anew")
    func anew() async throws {
        let workflow = Workflow()
        let policy = RetryPolicy.constant(attempts: 2, delay: .zero, when: { _ in true })
        let task = try workflow.add(
            BlockTask(options: .init(retry: policy)) { $0.fail(with: Broken(number: $0.number)) })
        await workflow.settle()
        #expect(task.isFailed && task.snapshot.attempt == 2)
        task.reset()
        await workflow.settle()
        #expect(task.isFailed && task.snapshot.attempt == 4)
    }

    @Test("WF-19, WF-78: a start during back-off begins at once; cancel and reset end it")
    func startInBackoff() async throws {
        let clock = ManualClock()
        let workflow = Workflow(options: .init(clock: clock))
        let policy = RetryPolicy.constant(
            attempts: 9, delay: .seconds(100), cap: .seconds(100), when: { _ in true })
        let task = try workflow.add(HandTask(options: .init(retry: policy)))
        try workflow.start()
        await task.attempt(1).fail(with: Broken())
        try task.start()
        await task.attempt(2).fail(with: Broken())
        task.cancel()
        #expect(task.isCancelled)
        // The thread that has called the body may just be setting the timer, which it then cancels.
        await eventually { clock.scheduledCount == 0 }
        task.retry()
        await task.attempt(3).fail(with: Broken())
        task.reset()
        await task.untilReady()
        clock.advance(by: .seconds(1000))
        #expect(task.isReady && task.attempts.count == 3)
    }

    @Test("WF-79: an attempt past its time-out fails, its body is stopped, and the policy is asked")
    func timeout() async throws {
        let clock = ManualClock()
        let workflow = Workflow(options: .init(grace: .zero, clock: clock))
        let policy = RetryPolicy.constant(attempts: 2, delay: .zero)
        let task = try workflow.add(
            HandTask(name: "slow", options: .init(retry: policy, timeout: .seconds(30))))
        try workflow.start()
        let first = await task.attempt(1)
        await clock.waitForScheduled(after: .seconds(30))
        clock.advance(by: .seconds(30))
        #expect(first.isCancelled)
        // The wait before the next attempt, and what is left of the first, are on the clock too.
        clock.advance(by: .zero)
        _ = await task.attempt(2)
        #expect(first.finish() == false)
        clock.advance(by: .seconds(30))
        #expect(task.isFailed)
        let error = try #require(task.error as? WorkflowError)
        #expect(error.code == .timedOut && error.description.contains("slow"))
    }

    @Test("WF-79: an attempt that ends in time is not timed out")
    func inTime() async throws {
        let clock = ManualClock()
        let workflow = Workflow(options: .init(clock: clock))
        let task = try workflow.add(HandTask(options: .init(timeout: .seconds(30))))
        try workflow.start()
        await task.attempt(1).finish()
        #expect(clock.scheduledCount == 0)
        clock.advance(by: .seconds(60))
        #expect(task.isFinished)
    }

    @Test("WF-80: a deadline bounds all attempts and waits of a task")
    func deadline() async throws {
        let clock = ManualClock()
        let workflow = Workflow(options: .init(clock: clock))
        let policy = RetryPolicy.constant(
            attempts: 9, delay: .seconds(100), cap: .seconds(100), when: { _ in true })
        let task = try workflow.add(HandTask(options: .init(retry: policy, deadline: .seconds(10))))
        try workflow.start()
        await task.attempt(1).fail(with: Broken())
        await clock.waitForScheduled(after: .seconds(100))
        clock.advance(by: .seconds(10))
        #expect(task.isFailed && (task.error as? WorkflowError)?.code == .timedOut)
    }

    @Test("WF-80: a time-out changes nothing for an attempt that fails by itself before it counts")
    func lateTimeout() async throws {
        let clock = ManualClock()
        let workflow = Workflow(options: .init(clock: clock))
        let first = Locked<(@Sendable () -> Void)?>(nil)
        // Asked after the time-out and before it counts; then about the failure.
        let policy = RetryPolicy.constant(attempts: 2, delay: .seconds(1)) { error in
            first.withLock { $0.take() }?()
            return error is Broken
        }
        let task = try workflow.add(HandTask(options: .init(retry: policy, timeout: .seconds(10))))
        try workflow.start()
        let attempt = await task.attempt(1)
        first.withLock { $0 = { attempt.fail(with: Broken()) } }
        clock.advance(by: .seconds(10))
        #expect(!task.isFailed)
        await clock.waitForScheduled(after: .seconds(1))
        clock.advance(by: .seconds(1))
        await task.attempt(2).finish()
        #expect(await workflow.outcome().isSuccess)
    }

    @Test("WF-80: another attempt doesn't begin the deadline anew, a reset does")
    func oneDeadline() async throws {
        let clock = ManualClock()
        let workflow = Workflow(options: .init(clock: clock))
        let policy = RetryPolicy.constant(attempts: 9, delay: .seconds(6), when: { _ in true })
        let task = try workflow.add(HandTask(options: .init(retry: policy, deadline: .seconds(10))))
        for run in 0..<2 {
            try task.start()
            await task.attempt(2 * run + 1).fail(with: Broken())
            await clock.waitForScheduled(after: .seconds(6))
            clock.advance(by: .seconds(6))
            let second = await task.attempt(2 * run + 2)
            clock.advance(by: .milliseconds(3999))
            #expect(task.isExecuting && !second.isCancelled)
            clock.advance(by: .milliseconds(1))
            #expect(task.isFailed && (task.error as? WorkflowError)?.code == .timedOut)
            second.finish()
            task.reset()
        }
    }

    @Test("WF-80, WF-49: the workflow's deadline cancels what has not ended")
    func workflowDeadline() async throws {
        let clock = ManualClock()
        let workflow = Workflow(options: .init(deadline: .seconds(10), clock: clock))
        let task = try workflow.add(HandTask())
        let run = Task { await workflowError { try await workflow.run() } }
        let attempt = await task.attempt()
        attempt.onCancel { attempt.finish() }
        await clock.waitForScheduled(after: .seconds(10))
        clock.advance(by: .seconds(10))
        #expect(await run.value?.code == .deadlineExceeded)
        #expect(task.isCancelled)
    }

    @Test("WF-100: a body that doesn't end is reported, again at each doubling of the time")
    func watchdog() async throws {
        let clock = ManualClock()
        let workflow = Workflow(options: .init(watchdog: .seconds(60), clock: clock))
        let log = EventLog(workflow)
        let task = try workflow.add(HandTask(name: "slow"))
        try workflow.start()
        _ = await task.attempt()
        await clock.waitForScheduled(after: .seconds(60))
        clock.advance(by: .seconds(60))
        clock.advance(by: .seconds(60))
        let events = await log.until { $0.kind == .stalled(.seconds(120)) }
        #expect(events.filter { if case .stalled = $0.kind { true } else { false } }.count == 2)
        task.finish()
    }
}
