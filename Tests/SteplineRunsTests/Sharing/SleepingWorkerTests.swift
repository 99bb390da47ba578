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
        @Sendable func make(_ begun: Recorder<Int>) throws -> Workflow {
            let workflow = Workflow("sleeps")
            for number in 0..<8 { try workflow.add("\(number)") { begun.record(number) } }
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
        let begins = Locked((count: 0, isLost: false))
        let (sleeps, lost) = (OneShot<Int>(), OneShot<Void>())
        let wakes = DispatchSemaphore(value: 0)
        // Once it knows that bodies are short it has taken all others; then its thread stands still.
        let sleeper = worker(begun) { news in
            if case .lost = news {
                begins.withLock { $0.isLost = true }
                lost.fulfill(())
            }
            guard case .began = news else { return }
            let isSecond = begins.withLock { begins in
                if !begins.isLost { begins.count += 1 }
                return !begins.isLost && begins.count == 2
            }
            guard isSecond else { return }
            sleeps.fulfill(store.offers(of: RunID("sleeps", key: "k")).count { $0.worker != nil })
            wakes.wait()
        }
        let working = Task { try await sleeper.run() }
        let owner = Task {
            _ = try await make(Recorder()).run(
                in: store, key: "k", retryingFailures: false, input: nil, on: .workers
            ) { _ in }
        }
        #expect(await sleeps.value > 2)
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
        #expect(begins.withLock { $0.count } == 2 && begun.values == before)
        #expect(Set(begun.values + others.values) == Set(0..<8))
    }
}
