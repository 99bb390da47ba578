import Foundation
import RunsTestSupport
import SteplineRunsTesting
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import Testing

@testable import SteplineRuns

/// Another attempt whose turn comes before the thread that heard of the failure has told the store of that.
@Suite(.timeLimit(.minutes(5)))
struct RetryOrderTests {
    /// A wait between attempts is over as soon as it is asked for, and who asks for it is held up for a moment.
    private struct HastyClock: StepClock {
        static let wait = Duration.milliseconds(77)

        var now: Date { SystemClock.shared.now }
        var uptime: Duration { SystemClock.shared.uptime }

        func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> Subscription {
            guard delay <= Self.wait, delay > Self.wait / 2 else {
                return SystemClock.shared.schedule(after: delay, body)
            }
            body()
            _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 0.05)
            return Subscription {}
        }
    }

    /// A store whose owner takes its time to keep a failure.
    private final class SlowStore: ForwardingRunStore {
        let memory = SharedMemoryStore()
        let reported = Recorder<String>()
        let hasOffered = DispatchSemaphore(value: 0)
        let refusesFailures = Locked(false)

        var store: any RunStore { memory }

        func open(_ id: RunID, input: Data?, as owner: RunOwner, at now: Date) throws -> any OpenRun {
            let run = try memory.open(id, input: input, as: owner, at: now)
            return SlowRun(self, try #require(run as? any SharedRun))
        }
    }

    private final class SlowRun: ForwardingOpenRun, SharedRun {
        private let store: SlowStore
        private let shared: any SharedRun
        var run: any OpenRun { shared }

        init(_ store: SlowStore, _ shared: any SharedRun) {
            self.store = store
            self.shared = shared
        }

        func write(_ changes: [StepChange]) throws -> [Int] {
            for change in changes {
                if case .failed = change.kind, store.refusesFailures.withLock({ $0 }) {
                    throw RunStoreError(.unavailable, store: store.name, "the disk is away")
                }
                guard case .waiting = change.kind else { continue }
                _ = store.hasOffered.wait(timeout: .now() + 0.1)
                store.reported.record("kept \(change.attempt)")
            }
            return try shared.write(changes)
        }

        func offer(_ offers: [StepOffer]) throws {
            try shared.offer(offers)
            for offer in offers {
                store.reported.record("offered \(offer.attempt)")
                if offer.attempt > 1 { store.hasOffered.signal() }
            }
        }

        func leave(toWorkers isLeft: Bool) throws { try shared.leave(toWorkers: isLeft) }
        func takeAway(_ steps: [String]?) throws { try shared.takeAway(steps) }
        func offers() throws -> [OfferRecord] { try shared.offers() }
        func withdraw(_ steps: [(step: String, attempt: Int)]) throws { try shared.withdraw(steps) }
        func ends(acknowledging acknowledged: [AcknowledgedEnd]) throws -> [StepEnd] {
            try shared.ends(acknowledging: acknowledged)
        }
        func sweep() throws { try shared.sweep() }
        func onNews(_ call: @escaping @Sendable (RunNews) -> Void) -> Subscription { shared.onNews(call) }
    }

    private struct Passing: Error {}

    @Test func `DR-3, DR-41: an attempt is offered when the failure of the one before is kept`() async throws
    {
        let store = SlowStore()
        let begun = Recorder<Int>()
        let retry = RetryPolicy.constant(attempts: 3, delay: HastyClock.wait) { _ in true }
        @Sendable func make() throws -> Workflow {
            let workflow = Workflow("retries", options: WorkflowOptions(clock: HastyClock()))
            try workflow.add("a", options: TaskOptions(retry: retry)) {
                begun.record(1)
                if begun.count < 3 { throw Passing() }
            }
            return workflow
        }
        let worker = StepWorker(
            of: "retries", in: store.memory, WorkerSettings(slots: 1), build: { _ in try make() })
        let working = Task { try await worker.run() }
        _ = try await make().run(
            in: store, key: "k", retryingFailures: false, input: nil, on: .workers
        ) { _ in }
        worker.leave()
        try await working.value
        #expect(store.reported.values == ["offered 1", "kept 1", "offered 2", "kept 2", "offered 3"])
        let id = RunID("retries", key: "k")
        let steps = try (store.memory as any RunStore).stepsByName(of: id)
        let attempts = try store.history(of: id) + steps.values
        #expect(attempts.map(\.attempt) == [1, 2, 3] && attempts.allSatisfy { $0.began != nil })
    }

    @Test func `DR-15, DR-41: a worker's failure that its owner can't store is left to the next owner`()
        async throws
    {
        let store = SlowStore()
        let id = RunID("fails", key: "k")
        @Sendable func run() async throws {
            let workflow = Workflow("fails")
            try workflow.add("a") { 1 }
            _ = try await workflow.run(
                in: store, key: "k", retryingFailures: false, input: nil, on: .workers
            ) { _ in }
        }
        store.refusesFailures.withLock { $0 = true }
        let running = Task { try await run() }
        await store.reported.waitForCount(1)
        let membership = try store.memory.join(WorkerProfile(workflow: "fails", slots: 1))
        let claim = try #require(try membership.claim(1, risky: false).first)
        let failure = StepOutcome.failed(StepFailure(code: "c", message: "it broke"))
        let end = WorkedStep(claim: claim, outcome: failure, result: nil, began: Date(), ended: Date())
        #expect(try membership.end([end]).isEmpty)
        await #expect(throws: RunStoreError.self) { try await running.value }
        #expect(store.memory.offers(of: id).map(\.hasEnded) == [true])
        store.refusesFailures.withLock { $0 = false }
        await #expect(throws: WorkflowError.self) { try await run() }
        let steps = try (store.memory as any RunStore).stepsByName(of: id)
        #expect(steps["a"]?.state == .failed && steps["a"]?.failure?.message == "it broke")
        #expect(store.reported.values == ["offered 1"])
    }

    @Test func `DR-41: the time of a body begins when a worker takes it up, however short it is`()
        async throws
    {
        let store = SlowStore()
        let workflow = Workflow("timed")
        for number in 1...64 {
            let options = TaskOptions(timeout: .nanoseconds(1), watchdog: .nanoseconds(1))
            try workflow.add("\(number)", options: options) {}
        }
        let running = Task {
            try await workflow.run(
                in: store, key: "k", retryingFailures: false, input: nil, on: .workers
            ) { _ in }
        }
        await store.reported.waitForCount(64)
        #expect(workflow.allTasks.allSatisfy { $0.isExecuting })
        running.cancel()
        _ = try? await running.value
    }
}
