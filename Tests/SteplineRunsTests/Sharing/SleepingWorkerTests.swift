import Foundation
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import Testing

@testable import SteplineRuns

@Suite(.timeLimit(.minutes(5)))
struct SleepingWorkerTests {
    @Test
    func `DR-11, DR-42: a worker that slept for longer than its lease begins nothing of what it has in hand`()
        async throws
    {
        let store = MemoryRunStore(lease: .seconds(2))
        // Enough that those ahead are seen even if some bodies are slow on a machine that is busy.
        let steps = 0..<200
        @Sendable func make(_ begun: Recorder<Int>) throws -> Workflow {
            let workflow = Workflow("sleeps")
            for number in steps { try workflow.add("\(number)") { begun.record(number) } }
            return workflow
        }
        func worker(_ begun: Recorder<Int>, tell: @escaping @Sendable (WorkerNews) -> Void = { _ in })
            -> StepWorker
        {
            StepWorker(
                of: "sleeps", in: store, WorkerSettings(slots: 1), build: { _ in try make(begun) }, tell: tell
            )
        }
        let (begun, others) = (Recorder<Int>(), Recorder<Int>())
        // How many steps it has begun until it heard that it was taken for dead.
        let begins = Locked((count: 0, isAsleep: false, isLost: false))
        let (sleeps, lost) = (OneShot<Int>(), OneShot<Void>())
        let wakes = DispatchSemaphore(value: 0)
        // Once it knows that bodies are short it has taken others, too; then its thread stands still.
        let sleeper = worker(begun) { news in
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
        let other = worker(others)
        let otherWorking = Task { try await other.run() }
        try await owner.value
        let before = begun.values
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
