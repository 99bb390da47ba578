import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import Testing

/// Time limits of tasks that wait for a pool.
@Suite(.timeLimit(.minutes(5)))
struct LineTests {
    @Test("WF-80: the time of all attempts goes on while the next one waits for a place")
    func deadlineInLine() async throws {
        let clock = ManualClock(), pool = ConcurrencyPool("pool", capacity: 1)
        let workflow = Workflow(options: .init(clock: clock))
        let policy = RetryPolicy.exponential(
            attempts: 3, base: .seconds(1), factor: 1, jitter: .none, when: { $0 is Broken })
        let options = TaskOptions(retry: policy, deadline: .seconds(10), pools: [pool: 1])
        let task = try workflow.add(HandTask(options: options))
        let holder = try workflow.add(HandTask(options: .init(pools: [pool: 1])))
        try task.start()
        await task.attempt().fail(with: Broken())
        await clock.waitForScheduled(after: .seconds(1))
        try holder.start()
        let attempt = await holder.attempt()
        clock.advance(by: .seconds(2))
        #expect(task.isReady && pool.free == 0)
        clock.advance(by: .seconds(9))
        #expect((task.error as? WorkflowError)?.code == .timedOut)
        attempt.finish()
        await workflow.settle()
        #expect(pool.free == 1 && task.attempts.count == 1)
    }
}
