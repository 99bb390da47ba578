import Dispatch
import Foundation
import SteplineRunsTesting
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import TestServers
import TestSupport
import Testing

@testable import SteplineRuns

/// Runs that are paused before their owner begins anything.
@Suite(.timeLimit(.minutes(5)))
struct PauseTests {
    private static let id = RunID("paused", key: "k")

    /// A clock on which the first wait of a second is over at once; who asks for it waits until `task` has ended.
    private struct EarlyClock: StepClock {
        let base = ManualClock()
        let task = Locked<WorkflowTask?>(nil)
        let sent: @Sendable () -> Void

        var now: Date { base.now }
        var uptime: Duration { base.uptime }

        func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> Subscription {
            guard delay == .seconds(1), let task = task.withLock({ $0.take() }) else {
                return base.schedule(after: delay, body)
            }
            let hasEnded = DispatchSemaphore(value: 0)
            let end = task.onEnd { _ in hasEnded.signal() }
            sent()
            body()
            hasEnded.wait()
            return end
        }
    }

    private let clock = ManualClock()
    private let begun = Recorder<Duration>()

    /// A map, a task inside a subworkflow, a task on a queue, and a condition.
    @Sendable private func make() throws -> Workflow {
        let workflow = Workflow("paused", options: WorkflowOptions(clock: clock))
        let (clock, begun) = (clock, begun)
        let list = try workflow.add("list") {
            begun.record(clock.uptime)
            return [1, 2]
        }
        let pages = try workflow.map("page", over: list) { page in
            begun.record(clock.uptime)
            return page
        }
        let inner = Workflow("inner", options: WorkflowOptions(clock: clock))
        try inner.add("task") { begun.record(clock.uptime) }
        try workflow.add(SubworkflowTask(name: "inner", subworkflow: inner))
        let queued = try workflow.add("handed") { begun.record(clock.uptime) }
        queued.task.queue = OperationQueue()
        let go = try workflow.addCondition("go", of: Int.self)
        try workflow.add("sum", after: pages, go) { $0.reduce($1, +) }
        return workflow
    }

    /// Makes a run that nobody has begun, and pauses it.
    private func pause(in store: any RunStore) throws {
        try store.openTest(id: Self.id).close()
        #expect(try store.pause(Self.id))
        _ = try store.send(.fulfil(condition: "go", Data("4".utf8)), to: Self.id, at: moment())
    }

    /// Lets the clock go on until the owner, which looks once a second, has noticed the resume.
    private func resume(in store: any RunStore) async throws {
        await clock.waitForScheduled(after: .seconds(1))
        clock.advance(by: .seconds(5))
        #expect(begun.count == 0)
        #expect(try store.resume(Self.id))
        await eventually {
            clock.advance(by: .seconds(1))
            return begun.count > 0
        }
    }

    @Test func `a paused run begins no step until it is resumed`() async throws {
        let store = MemoryRunStore()
        try pause(in: store)
        let run = Task { try await make().run(in: store, key: "k") }
        try await resume(in: store)
        _ = try await run.value
        #expect(try store.result(of: "sum", in: Self.id, as: Int.self) == 7)
        #expect(begun.count == 5 && begun.values.allSatisfy { $0 >= .seconds(5) })
    }

    @Test(arguments: [true, false])
    func `a paused run leaves the places of its pools to other workflows`(onQueue: Bool) async throws {
        let store = MemoryRunStore(), pool = ConcurrencyPool("shared", capacity: 1)
        let begun = begun, clock = clock
        try pause(in: store)
        let workflow = Workflow("paused", options: WorkflowOptions(clock: clock))
        for name in ["a", "b"] {
            let task = try workflow.add(name, options: TaskOptions(pools: [pool: 1])) {
                begun.record(clock.uptime)
            }
            if onQueue { task.task.queue = OperationQueue() }
        }
        let run = Task { try await workflow.run(in: store, key: "k") }
        await clock.waitForScheduled(after: .seconds(1))
        let other = Workflow("other")
        try other.add("task", options: TaskOptions(pools: [pool: 1])) {}
        // Not the end of the task: its place is free only at the end of the run.
        try await other.run()
        #expect(pool.free == 1)
        try await resume(in: store)
        _ = try await run.value
        #expect(begun.count == 2 && pool.free == 1)
    }

    @Test func `a paused run is cancelled without being resumed`() async throws {
        let store = MemoryRunStore()
        try pause(in: store)
        let run = Task { try await make().run(in: store, key: "k") }
        await clock.waitForScheduled(after: .seconds(1))
        _ = try store.send(.cancel("enough"), to: Self.id, at: moment())
        await eventually {
            clock.advance(by: .seconds(1))
            return store.run(Self.id)?.ending != nil
        }
        await #expect(throws: (any Error).self) { try await run.value }
        #expect(store.run(Self.id)?.ending == .cancelled("enough"))
        #expect(begun.count == 0)
    }

    @Test func `DR-16: a cancellation between the opening of a run and its start keeps its reason`()
        async throws
    {
        let store = MemoryRunStore()
        let clock = EarlyClock { _ = try? store.send(.cancel("enough"), to: Self.id, at: moment()) }
        let workflow = Workflow("paused", options: WorkflowOptions(clock: clock))
        let begun = begun
        let task = try workflow.add("never") { begun.record(.zero) }
        clock.task.withLock { $0 = task.task }
        await #expect(throws: (any Error).self) {
            try await workflow.run(in: store, key: "k")
        }
        #expect(store.run(Self.id)?.ending == .cancelled("enough"))
        #expect(begun.count == 0)
    }

    @Test(arguments: LeaseTrial.Kind.present)
    func `workers are offered no step of a paused run until it is resumed`(kind: LeaseTrial.Kind)
        async throws
    {
        let store = try await kind.make()
        try pause(in: store)
        let worker = StepWorker(of: "paused", in: store, WorkerSettings()) { _ in try make() }
        let working = Task { try await worker.run() }
        let owner = Task {
            _ = try await make().run(
                in: store, key: "k", retryingFailures: false, input: nil, on: .workers
            ) { _ in }
        }
        await clock.waitForScheduled(after: .seconds(1))
        #expect(try store.offers(of: Self.id).isEmpty)
        try await resume(in: store)
        try await owner.value
        worker.leave()
        try await working.value
        #expect(try store.result(of: "sum", in: Self.id, as: Int.self) == 7)
    }
}
