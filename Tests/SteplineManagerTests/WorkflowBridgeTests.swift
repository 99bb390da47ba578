import Stepline
import SteplineManager
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

@Suite("Workflows as managed tasks", .timeLimit(.minutes(5)))
struct WorkflowBridgeTests {
    @Test(
        "MG-65: a workflow passes under its own name and gives its report; later attempts run only what failed"
    )
    func retried() async throws {
        let first = Recorder<Int>(), second = Recorder<Int>(), names = Recorder<String>()
        let workflow = Workflow("nightly")
        let one = try workflow.add("one") { () throws -> Int in
            first.record(1)
            return 1
        }
        try workflow.add("two", after: one) { (_: Int) throws -> Int in
            second.record(1)
            if second.count == 1 { throw Broken() }
            return 2
        }
        let manager = TaskManager(
            interceptors: [
                Asking { context in
                    names.record(context.handle.name)
                    return .execute
                }
            ], reactors: [Reacting(configuration: .init(requeuesTask: true))])
        let report = try await manager.run(workflow, options: .init(tags: ["nightly"]))
        #expect(report.ending == .finished && names.values == ["nightly"])
        #expect(first.count == 1 && second.count == 2)
    }

    @Test("MG-65: its failure is the workflow's own error")
    func failing() async throws {
        let workflow = Workflow("broken")
        try workflow.add("one") { () throws -> Int in throw Broken() }
        let result = await TaskManager().add(workflow).outcome()
        guard case .failure(let error as WorkflowError) = result else {
            Issue.record("no error of the workflow's")
            return
        }
        #expect(error.code == .tasksFailed && error.report?.failures.count == 1)
    }

    @Test("MG-65: a workflow that runs already is joined")
    func joined() async throws {
        let gate = Gate(), runs = Recorder<Int>()
        let workflow = Workflow("joined")
        try workflow.add("one") { () async throws -> Int in
            runs.record(1)
            await gate.wait()
            return 1
        }
        try workflow.start()
        await gate.waitForArrivals()
        let handle = TaskManager().add(workflow)
        gate.open()
        #expect(try await handle.value.ending == .finished)
        #expect(runs.count == 1)
    }

    @Test("MG-66: ending the handle cancels the workflow, with the reason")
    func ending() async throws {
        let gate = Gate(), workflow = Workflow("waiting")
        let one = try workflow.add("one") { () async throws -> Int in
            await gate.wait()
            return 1
        }
        let handle = TaskManager().add(workflow)
        await gate.waitForArrivals()
        handle.cancel("enough")
        // The task that executes the workflow may not have added its cancellation handler yet.
        await eventually { one.task.isCancelled }
        #expect(await handle.endCode == .cancelled)
        let ends = Recorder<CancellationReason?>()
        workflow.onEnd { ends.record($0.cancellation) }
        gate.open()
        await ends.waitForCount(1)
        #expect(ends.values == ["enough"])
    }

    @Test(
        "MG-66: tasks after a cancelled workflow on the same thread aren't cancelled, and pass their reactors"
    )
    func afterCancelled() async throws {
        let gate = Gate(), workflow = Workflow("cancelled"), asked = Recorder<Int>()
        try workflow.add("one") { await gate.wait() }
        let manager = TaskManager(
            interceptors: [
                Asking { _ in
                    asked.record(1)
                    return .execute
                }
            ],
            reactors: [
                Reacting(asks: { _, _ in
                    asked.record(2)
                    return false
                })
            ], options: .init(maximumConcurrency: 1))
        let handle = manager.add(workflow)
        await gate.waitForArrivals()
        // Takes up whatever is next on the thread that the workflow had.
        let next = manager.add { Task.isCancelled }
        workflow.cancel()
        gate.open()
        #expect(await handle.endCode == .cancelled)
        #expect(try await next.value == false)
        #expect(try await manager.run { Task.isCancelled } == false)
        #expect(asked.values.sorted() == [1, 1, 1, 2, 2])
    }

    @Test("MG-66: a workflow cancelled from outside ends its handle as cancelled; no reactor is asked")
    func cancelled() async throws {
        let asked = Recorder<Int>(), gate = Gate(), workflow = Workflow("waiting")
        try workflow.add("one") { () async throws -> Int in
            await gate.wait()
            return 1
        }
        let manager = TaskManager(reactors: [
            Reacting(asks: { _, _ in
                asked.record(1)
                return false
            })
        ])
        let handle = manager.add(workflow)
        await gate.waitForArrivals()
        workflow.cancel("enough")
        gate.open()
        #expect(await handle.endReason?.description == "enough" && asked.count == 0)
    }
}
