import CTestWidth
import Foundation
import Stepline
import SteplineTesting
import TestSupport
import Testing

/// Repeats calls that can be cancelled, and compares the bytes that `malloc` has handed out before and after.
///
/// Other tests would allocate meanwhile, so these run one after the other in a process of their own.
@Suite("Memory after many cancelled calls", .serialized, .aloneOnly, .timeLimit(.minutes(10)))
struct MemoryTests {
    private let repetitions = 100_000

    /// Bytes in use that another 100,000 calls have added.
    private func growth(_ call: (Int) async throws -> Void) async rethrows -> Int {
        for number in 0..<repetitions / 10 { try await call(number) }
        let before = Int(test_bytes_in_use())
        for number in 0..<repetitions { try await call(number) }
        return Int(test_bytes_in_use()) - before
    }

    /// One byte for each call would be 100,000; arrays and heaps may keep room for some hundred entries.
    private let most = 60_000

    @Test func `waits for a task's value`() async throws {
        let workflow = Workflow(), gate = Gate()
        let task = try workflow.add("held") { await gate.wait() }
        try workflow.start()
        let growth = await growth { _ in
            let wait = Task { try await task.value }
            wait.cancel()
            _ = await wait.result
        }
        gate.open()
        try await workflow.run()
        #expect(growth < most)
    }

    @Test func `waits for a handle's value`() async {
        let manager = TaskManager(), gate = Gate()
        let handle = manager.add("held") { await gate.wait() }
        let growth = await growth { _ in
            let wait = Task { try await handle.value }
            wait.cancel()
            _ = await wait.result
        }
        gate.open()
        _ = await handle.outcome()
        #expect(growth < most)
    }

    @Test func `readers of events`() async throws {
        let workflow = Workflow(), manager = TaskManager()
        let pipeline = Pipeline { BlockStep(from: .nothing, to: .body) { 1 } }
        let growth = await growth { _ in
            _ = workflow.events
            _ = manager.events
            _ = pipeline.events
        }
        withExtendedLifetime((workflow, manager, pipeline)) {}
        #expect(growth < most)
    }

    @Test func `callbacks and observers that are cancelled`() async throws {
        let workflow = Workflow(), manager = TaskManager(), gate = Gate()
        let task = try workflow.add("held") { await gate.wait() }
        let pipeline = Pipeline { BlockStep(from: .nothing, to: .body) { 1 } }
        let handle = manager.add("held") { await gate.wait() }
        let queue = DispatchQueue(label: "callbacks")
        let growth = await growth { _ in
            task.task.onEnd(on: queue) { _ in }.cancel()
            task.task.observe { _ in }.cancel()
            workflow.onEnd { _ in }.cancel()
            pipeline.onEnd { _ in }.cancel()
            handle.onEnd { _ in }.cancel()
        }
        gate.open()
        _ = await handle.outcome()
        #expect(growth < most)
    }

    enum Line: String, CaseIterable { case pool, limit, urgent, backOff, condition }

    @Test(arguments: Line.allCases)
    func `tasks that are cancelled and retried`(line: Line) async throws {
        let gate = Gate(), pool = ConcurrencyPool("pool", capacity: 1)
        var options = TaskOptions()
        switch line {
        case .pool: options.pools = [pool: 1]
        case .urgent: options.priority = .critical
        case .backOff:
            options.retry = .constant(attempts: 2, delay: .seconds(3600))
            options.timeout = .seconds(3600)
        case .limit, .condition: break
        }
        let isLimited = line == .limit || line == .urgent
        let workflow = Workflow(options: .init(maximumConcurrency: isLimited ? 1 : nil))
        try workflow.add("holder", options: options) { await gate.wait() }
        let task: WorkflowTask
        if line == .condition {
            task = try workflow.add(ExternalConditionTask(name: "condition"))
        } else {
            task = try workflow.add("waiting", options: options) { () throws in
                if line == .backOff { throw CocoaError(.fileNoSuchFile) }
            }.task
        }
        try workflow.start()
        await gate.waitForArrivals()
        let growth = await growth { _ in
            task.cancel()
            task.retry()
        }
        workflow.cancel()
        gate.open()
        _ = await workflow.outcome()
        #expect(growth < most)
    }

    @Test func `managed tasks that are cancelled while a manager is paused`() async {
        let manager = TaskManager()
        manager.pause()
        let growth = await growth { _ in
            _ = manager.add("task") {}.cancel()
        }
        #expect(growth < most)
    }

    @Test func `pipelines that are cancelled while they wait`() async throws {
        let growth = try await growth { _ in
            let pipeline = Pipeline {
                BlockStep<Void, Int>(to: .bodyObject) { () async in
                    await untilCancelled()
                    return 1
                }.timeout(.seconds(3600))
            }
            try pipeline.start()
            pipeline.cancel()
            _ = await pipeline.outcome()
        }
        #expect(growth < most)
    }
}
