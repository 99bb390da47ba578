import RunsTestSupport
import SteplineRunsTesting
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import TestSupport
import Testing

@testable import SteplineRuns

/// Messages to a task between the end of its body and its commit.
@Suite(.timeLimit(.minutes(5)))
struct EndBeingKeptTests {
    private static let id = RunID("ends", key: "k")

    @Test func `DR-70: a subworkflow has failed by the task whose failure cancels the others inside`()
        async throws
    {
        let store = MemoryRunStore()
        let workflow = Workflow("ends")
        let inner = Workflow("inner", options: WorkflowOptions(onFailure: .cancelOthers))
        let failing = try inner.add("failing") { () throws -> Int in throw BrokenOff() }
        try inner.add("never", after: failing) { $0 }
        let around = SubworkflowTask(name: "around", subworkflow: inner)
        try workflow.add(around)
        let after = try workflow.add("after", after: TaskRef<Workflow>(around).allowingFailure) { result in
            (try? result.get()) == nil
        }
        try await workflow.run(in: store, key: "k")
        #expect(around.state == .failed && around.error is BrokenOff)
        #expect(after.result == true)
        #expect(try store.stepsByName(of: Self.id)["around"]?.state == .failed)
    }

    @Test(arguments: [false, true])
    func `DR-19: a task cancelled during its commit is kept as cancelled`(fails: Bool) async throws {
        let workflow = Workflow("ends")
        let task = try workflow.add("a") { () throws -> Int in
            if fails { throw BrokenOff() }
            return 1
        }
        try workflow.add("b", after: task) { $0 }
        let store = WatchedStore(MemoryRunStore()) { _, _ in task.task.cancel() }
        await #expect(throws: CancellationError.self) { try await workflow.run(in: store, key: "k") }
        let steps = try (store as any RunStore).stepsByName(of: Self.id)
        #expect(task.task.state == .cancelled && steps["a"]?.state == .cancelled)
        #expect(steps["b"]?.state == .cancelled)
    }

    @Test func `DR-13, DR-62: a step that ends during an interruption isn't run again once it is kept`()
        async throws
    {
        let kept = MemoryRunStore()
        let bodies = Locked(0)
        func make() throws -> Workflow {
            let workflow = Workflow("ends")
            try workflow.add("a") { bodies.withLock { $0 += 1 } }
            return workflow
        }
        let running = Locked<Task<Void, any Error>?>(nil)
        let begins = OneShot<Void>()
        // The end is on its way to the store when the run is interrupted.
        let store = WatchedStore(kept) { _, changes in
            // The begin may be kept by itself, before that.
            for case .finished in changes.lazy.map(\.kind) { running.withLock { $0 }?.cancel() }
        }
        let task = Task {
            await begins.value
            _ = try await make().run(in: store, key: "k")
        }
        running.withLock { $0 = task }
        begins.fulfill(())
        _ = await task.result
        try await make().run(in: kept, key: "k")
        #expect(bodies.withLock { $0 } == 1)
    }

    @Test func `DR-13: a failure that ends all others does so as well if the process ends between the two`()
        async throws
    {
        var store = MemoryRunStore()
        let bodies = Locked(0)
        func make() throws -> Workflow {
            let workflow = Workflow("ends", options: WorkflowOptions(onFailure: .cancelOthers))
            let first = try workflow.add("first") { 1 }
            try workflow.add("failing", after: first) { _ -> Int in throw BrokenOff() }
            let gate = try workflow.addCondition("gate", of: Int.self)
            try workflow.add("other", after: gate) { _ in bodies.withLock { $0 += 1 } }
            return workflow
        }
        // Whether begins are kept by themselves depends on time: it is cut off behind the commit of the failure.
        for write in 1..<10 {
            store = MemoryRunStore()
            _ = try? await make().run(in: CuttingStore(store, .after(write)), key: "k")
            if try store.stepsByName(of: Self.id)["failing"]?.state == .failed { break }
        }
        #expect(try store.stepsByName(of: Self.id)["failing"]?.state == .failed)
        let workflow = try make()
        await #expect(throws: WorkflowError.self) { try await workflow.run(in: store, key: "k") }
        #expect(workflow.tasks(named: "other").first?.state == .cancelled)
        #expect(workflow.tasks(named: "gate").first?.state == .cancelled)
        #expect(bodies.withLock { $0 } == 0)
    }

    /// A task whose body has called back when that is asked of it.
    private final class HandTask: WorkflowTask, @unchecked Sendable {  // the recorder locks by itself
        let attempts = Recorder<TaskAttempt>()

        override func main() { attempts.record(currentAttempt) }
    }

    @Test func `DR-13: a body is over that tells its end while its time-out is being kept`() async throws {
        // On a busy machine a time-out by the system's clock may come before the body, which then nobody ends.
        let clock = ManualClock()
        let workflow = Workflow("ends", options: WorkflowOptions(clock: clock))
        let task = HandTask(name: "a", options: TaskOptions(timeout: .seconds(1), grace: .seconds(3600)))
        try workflow.add(task)
        let store = WatchedStore(MemoryRunStore()) { _, changes in
            for case .failed in changes.map(\.kind) { task.attempts.values.first?.finish() }
        }
        let running = Task { try await workflow.run(in: store, key: "k") }
        await task.attempts.waitForCount(1)
        await clock.waitForScheduled(after: .seconds(1))
        clock.advance(by: .seconds(1))
        await #expect(throws: WorkflowError.self) { try await running.value }
        #expect(task.state == .failed && task.attempts.count == 1 && !workflow.hasBody(0))
    }

    private struct BrokenOff: Error {}

    /// A result whose first copy is made into bytes when a gate is open.
    private struct Held: Codable, Sendable {
        static let gate = Gate()

        func encode(to encoder: any Encoder) throws {
            Self.gate.block()
            var container = encoder.singleValueContainer()
            try container.encode(1)
        }
    }

    @Test func `DR-11: an end that comes too late for the store leaves the next attempt alone`()
        async throws
    {
        let store = MemoryRunStore()
        let bodies = Locked(0)
        let workflow = Workflow("ends")
        let task = try workflow.add("a") {
            bodies.withLock { $0 += 1 }
            return Held()
        }
        let after = try workflow.add("b", after: task) { _ in 2 }
        let running = Task { try await workflow.run(in: store, key: "k") }
        await Held.gate.waitForArrivals()
        try workflow.rerun(from: task.task)
        try await eventually { try store.stepsByName(of: Self.id)["a"]?.state == .pending }
        Held.gate.open()
        _ = try await running.value
        #expect(bodies.withLock { $0 } == 2 && after.result == 2)
        #expect(try store.stepsByName(of: Self.id)["a"]?.attempt == 2)
    }
}
