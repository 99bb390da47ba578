import Dispatch
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import TestSupport
import Testing

@Suite("Progress callbacks of workflows", .timeLimit(.minutes(1)))
struct ProgressCallbackTests {
    @Test("onProgress calls back with the newest progress, also in a later run")
    func workflows() async throws {
        let workflow = Workflow("night")
        let (first, second) = (try workflow.add(HandTask()), try workflow.add(HandTask()))
        let seen = Recorder<WorkflowProgress>()
        workflow.onProgress { seen.record($0) }
        try workflow.start()
        await first.attempt().finish()
        await eventually { seen.values.last?.finished == 1 && seen.values.last?.executing == 1 }
        await second.attempt().finish()
        await eventually { seen.values.last?.fraction == 1 }
        second.reset()
        await eventually { seen.values.last?.finished == 1 }
        workflow.cancel()
    }

    @Test("onProgress of a map counts its elements")
    func maps() async throws {
        let workflow = Workflow("pages")
        let gate = Gate()
        let pages = try workflow.map("page", over: [1, 2, 3]) { number in
            if number == 3 { await gate.wait() }
            return number
        }
        let seen = Recorder<WorkflowProgress>()
        pages.onProgress { seen.record($0) }
        try workflow.start()
        await eventually { seen.values.last?.finished == 2 && seen.values.last?.total == 3 }
        gate.open()
        try await workflow.run()
        await eventually { seen.values.last?.fraction == 1 }
    }

    @Test("no progress callback begins after its subscription or its owner's callbacks were removed")
    func removed() async throws {
        final class Owner {}
        let owner = Owner()
        let queue = DispatchQueue(label: "progress")
        let seen = Recorder<String>()
        let workflow = Workflow("night")
        let task = try workflow.add("load") { 1 }
        let first = workflow.onProgress(on: queue) { _ in seen.record("first") }
        workflow.onProgress(on: queue, for: owner) { _ in seen.record("owner's") }
        task.onProgress(on: queue, for: owner) { _ in seen.record("owner's") }
        workflow.onProgress { _ in seen.record("other") }
        first.cancel()
        workflow.removeCallbacks(of: owner)
        try await workflow.run()
        await seen.waitForCount(1)
        queue.sync {}
        #expect(Set(seen.values) == ["other"])
    }
}
