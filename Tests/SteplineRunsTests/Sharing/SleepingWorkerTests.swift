import Foundation
import RunsTestSupport
import SteplineRunsTesting
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import Testing

@testable import SteplineRuns

@Suite(.timeLimit(.minutes(5)))
struct SleepingWorkerTests {
    @Test
    func `DR-11, DR-42: a worker that sleeps through its lease begins none of the steps that it holds`()
        async throws
    {
        let clock = ManualClock(), lease = Duration.seconds(2)
        let store = SharedMemoryStore(lease: lease, clock: clock)
        // More than a worker takes ahead: some are left for the other one.
        let steps = 0..<200
        @Sendable func make(_ begun: Recorder<Int>) throws -> Workflow {
            let workflow = Workflow("sleeps", options: WorkflowOptions(clock: clock))
            for number in steps { try workflow.add("\(number)") { begun.record(number) } }
            return workflow
        }
        let stopped = StoppedStore(store)
        func worker(
            _ begun: Recorder<Int>, in store: any SharedRunStore,
            tell: @escaping @Sendable (WorkerNews) -> Void = { _ in }
        ) -> StepWorker {
            StepWorker(
                of: "sleeps", in: store, WorkerSettings(slots: 1, clock: clock),
                build: { _ in try make(begun) }, tell: tell)
        }
        let (begun, others) = (Recorder<Int>(), Recorder<Int>())
        // The number of steps that it began before it found its lease expired.
        let begins = Locked((count: 0, isAsleep: false, isLost: false))
        let (sleeps, lost) = (OneShot<Int>(), OneShot<Void>())
        let wakes = DispatchSemaphore(value: 0)
        // Its threads block once it has claimed steps ahead, which it does after the first short body.
        let sleeper = worker(begun, in: stopped) { news in
            if case .lost = news {
                begins.withLock { $0.isLost = true }
                lost.fulfill(())
            }
            guard case .began = news else { return }
            let taken = store.offers(of: RunID("sleeps", key: "k")).count { $0.worker != nil }
            let falls = begins.withLock { begins in
                guard !begins.isLost else { return false }
                begins.count += 1
                guard !begins.isAsleep, taken > 2 else { return false }
                begins.isAsleep = true
                return true
            }
            guard falls else { return }
            stopped.stop()
            sleeps.fulfill(begins.withLock { $0.count })
            wakes.wait()
        }
        let working = Task { try await sleeper.run() }
        let owner = Task {
            _ = try await make(Recorder()).run(
                in: store, key: "k", retryingFailures: false, input: nil, on: .workers
            ) { _ in }
        }
        let count = await sleeps.value
        await begun.waitForCount(count)
        // The owner looks for lost workers every 0.7 s.
        clock.advance(by: lease + .seconds(1))
        let other = worker(others, in: store)
        let otherWorking = Task { try await other.run() }
        try await owner.value
        let before = begun.values
        stopped.proceed()
        wakes.signal()
        await lost.value
        sleeper.leave()
        other.leave()
        try await working.value
        try await otherWorking.value
        #expect(begins.withLock { $0.count } == count && begun.values == before)
        #expect(Set(begun.values + others.values) == Set(steps))
    }
}
