import Foundation
import Stepline
import SteplineRuns
import SteplineTesting
import TestSupport
import Testing

/// Task-local values in the code that runs and managers call.
@Suite("Task-local values", .timeLimit(.minutes(5)))
struct TaskLocalTests {
    enum Trace {
        @TaskLocal static var id = "none"
        @TaskLocal static var optional: Int?
        /// A variable that isn't registered.
        @TaskLocal static var secret = "none"
    }

    private struct Ask: Interceptor {
        let seen: Recorder<String>

        func intercept<Managed: ManagedTask>(
            _ task: inout Managed, context: InterceptContext
        ) async throws -> InterceptCommand {
            seen.record("interceptor \(Trace.id)")
            return .execute
        }
    }

    private final class React: Reactor {
        let seen: Recorder<String>
        init(_ seen: Recorder<String>) { self.seen = seen }

        var configuration: ReactorConfiguration { ReactorConfiguration(requeuesTask: true) }

        func shouldExecute<Managed: ManagedTask>(
            after result: Result<Managed.Success, any Error>, of task: Managed, context: ReactionContext
        ) async -> Bool {
            seen.record("asked \(Trace.id)")
            return context.requeues == 0
        }

        func execute(_ run: ReactorRun) async throws { seen.record("run \(Trace.id)") }
    }

    private actor Worker {}

    private let seen = Recorder<String>()

    init() {
        TaskLocals.propagate(Trace.$id)
        TaskLocals.propagate(Trace.$id)
        TaskLocals.propagate(Trace.$optional)
    }

    @Test("values of start() reach all bodies and callbacks of a workflow")
    func workflow() async throws {
        let inner = Workflow("inner")
        try inner.add("inside") { seen.record("inside \(Trace.id)") }
        let workflow = Workflow("outer")
        let first = try workflow.add("sync") { seen.record("sync \(Trace.id) \(Trace.optional ?? 0)") }
        let second = try workflow.add("async", after: first) { () async in
            await Task.yield()
            seen.record("async \(Trace.id) \(Trace.optional ?? 0)")
        }
        let third = try workflow.add(SubworkflowTask(subworkflow: inner), prerequisites: [second.task])
        let list = try workflow.add("list") { [1, 2] }
        let map = try workflow.map("map", over: list) { (number: Int) async in
            seen.record("element \(number) \(Trace.id)")
        }
        let chain = try workflow.addPipeline("chain") {
            BlockStep { () in seen.record("step \(Trace.id)") }
            BlockStep { () async in seen.record("async step \(Trace.id)") }
        }
        let queued = try workflow.add(
            BlockTask(name: "queued") { attempt in
                seen.record("queued \(Trace.id)")
                attempt.finish()
            }, prerequisites: [third, map.task, chain.task])
        queued.queue = OperationQueue()
        first.task.onEnd { _ in seen.record("callback \(Trace.id)") }
        let called = Gate(), worker = Worker()
        workflow.onEnd(on: worker) { _, _ in
            seen.record("actor \(Trace.id)")
            called.open()
        }
        try await Trace.$id.withValue("r-17") {
            try await Trace.$optional.withValue(3) { try await workflow.run() }
        }
        await called.wait()
        #expect(
            Set(seen.values) == [
                "sync r-17 3", "async r-17 3", "inside r-17", "element 1 r-17", "element 2 r-17", "step r-17",
                "async step r-17", "queued r-17", "callback r-17", "actor r-17",
            ])
    }

    @Test(
        "values of start() reach the steps and callbacks of a pipeline, also in a queue and after a back-off")
    func pipeline() async throws {
        let tries = Recorder<Int>(), called = Gate(), clock = ManualClock(runsByItself: true)
        let retry = RetryPolicy.constant(attempts: 2, delay: .seconds(5)) { _ in true }
        let pipeline = Pipeline("p", options: .init(clock: clock)) {
            BlockStep { () throws in
                seen.record("first \(Trace.id)")
                tries.record(1)
                if tries.count == 1 { throw CocoaError(.fileNoSuchFile) }
            }.retrying(retry)
            BlockStep { () in seen.record("queue \(Trace.id)") }.on(OperationQueue())
            BlockStep { () async in seen.record("async \(Trace.id)") }
        }
        pipeline.onSuccess(on: .global()) { _ in
            seen.record("callback \(Trace.id)")
            called.open()
        }
        try Trace.$id.withValue("p") { try pipeline.start() }
        _ = await pipeline.outcome()
        await called.wait()
        #expect(seen.values == ["first p", "first p", "queue p", "async p", "callback p"])
    }

    @Test("values of add() reach the body, interceptors, reactors and callbacks of a managed task")
    func manager() async throws {
        let manager = TaskManager(interceptors: [Ask(seen: seen)], reactors: [React(seen)])
        let called = Gate()
        let handle = Trace.$id.withValue("m") {
            manager.add("body", on: .global()) { () async in
                seen.record("body \(Trace.id)")
            } onEnd: { _ in
                seen.record("callback \(Trace.id)")
                called.open()
            }
        }
        _ = try await handle.value
        await called.wait()
        #expect(
            seen.values == [
                "interceptor m", "body m", "asked m", "run m", "body m", "asked m", "callback m",
            ])
    }

    @Test("values of one run reach no body of another run, registered or not", arguments: 0..<5)
    func apart(round: Int) async throws {
        let pool = ConcurrencyPool("one", capacity: 1)
        let runs = 6
        let foreign = try await withThrowingTaskGroup(of: [String].self) { group in
            for run in 0..<runs {
                group.addTask {
                    let name = "run \(run)"
                    let workflow = Workflow(name)
                    let map = try workflow.map(
                        "m", over: Array(0..<5), options: .init(pools: [pool: 1])
                    ) { (_: Int) async in
                        await Task.yield()
                        return "\(Trace.id) \(Trace.secret) \(Trace.optional ?? 0)"
                    }
                    return try await Trace.$secret.withValue("secret") {
                        // One run is without a value.
                        guard run > 0 else {
                            try await workflow.run()
                            return try await map.value.filter { $0 != "none none 0" }
                        }
                        return try await Trace.$id.withValue(name) {
                            let number = run % 2 == 0 ? nil : run
                            try await Trace.$optional.withValue(number) { _ = try await workflow.run() }
                            return try await map.value.filter { $0 != "\(name) none \(number ?? 0)" }
                        }
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(foreign == [])
    }

    @Test("a durable body has its idempotency key and the propagated values")
    func durable() async throws {
        let workflow = Workflow("durable")
        try workflow.add("async") { () async in
            seen.record("\(Trace.id) \(TaskAttempt.idempotencyKey != nil)")
        }
        try workflow.add("sync") { seen.record("\(Trace.id) \(TaskAttempt.idempotencyKey != nil)") }
        try await Trace.$id.withValue("d") { _ = try await workflow.run(in: .memory(), key: "k") }
        #expect(seen.values == ["d true", "d true"])
    }

    @Test("a workflow as a managed task, a cleanup, a retry policy and a progress callback have the values")
    func further() async throws {
        let workflow = Workflow("w", options: .init(clock: ManualClock(runsByItself: true)))
        let retry = RetryPolicy.constant(attempts: 2) { _ in
            seen.record("policy \(Trace.id)")
            return true
        }
        let tries = Recorder<Int>(), called = Gate()
        let body = try workflow.add("body", options: .init(retry: retry)) {
            tries.record(1)
            if tries.count == 1 { throw CocoaError(.fileNoSuchFile) }
            seen.record("body \(Trace.id)")
        }
        try workflow.addCleanup("cleanup", after: [body.task]) { seen.record("cleanup \(Trace.id)") }
        workflow.onProgress(on: .global()) { progress in
            if progress.fraction == 1 {
                seen.record("progress \(Trace.id)")
                called.open()
            }
        }
        let manager = TaskManager()
        let handle = Trace.$id.withValue("w") { manager.add(workflow) }
        _ = try await handle.value
        await called.wait()
        #expect(Set(seen.values) == ["policy w", "body w", "cleanup w", "progress w"])
    }

    @Test("a start during a run keeps the run's values, and a later run has its own")
    func starts() async throws {
        let workflow = Workflow("w"), gate = Gate()
        try workflow.add("held") { () async in await gate.wait() }
        try Trace.$id.withValue("first") { try workflow.start() }
        await gate.waitForArrivals()
        let added = try workflow.add("added") { seen.record(Trace.id) }
        try Trace.$id.withValue("second") { try workflow.start() }
        gate.open()
        _ = try await added.value
        try await workflow.run()
        added.task.reset()
        try await Trace.$id.withValue("third") { _ = try await workflow.run() }
        #expect(seen.values == ["first", "third"])
    }

    @Test("a value that refers to its workflow isn't retained after the end")
    func releasedByWorkflow() async throws {
        final class Owner: Sendable {
            let workflow: Locked<Workflow?> = Locked(nil)
        }
        enum Holder { @TaskLocal static var owner: Owner? }
        TaskLocals.propagate(Holder.$owner)
        weak var freed: Owner?
        do {
            let owner = Owner()
            freed = owner
            let workflow = Workflow("w")
            let task = try workflow.add("t") { Holder.owner == nil ? 0 : 1 }
            owner.workflow.withLock { $0 = workflow }
            try await Holder.$owner.withValue(owner) { _ = try await workflow.run() }
            #expect(try await task.value == 1)
        }
        await eventually { freed == nil }
        #expect(freed == nil)
    }

    @Test("a value that refers to its pipeline isn't retained after the end")
    func released() async throws {
        final class Owner: Sendable {
            let pipeline: Locked<Pipeline<Int>?> = Locked(nil)
        }
        enum Holder { @TaskLocal static var owner: Owner? }
        TaskLocals.propagate(Holder.$owner)
        weak var freed: Owner?
        do {
            let owner = Owner()
            freed = owner
            let pipeline = Pipeline("p") { BlockStep { () in Holder.owner == nil ? 0 : 1 } }
            owner.pipeline.withLock { $0 = pipeline }
            let value = try await Holder.$owner.withValue(owner) { try await pipeline.run() }
            #expect(value == 1)
        }
        await eventually { freed == nil }
        #expect(freed == nil)
    }
}
