import Dispatch
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import TestSupport
import Testing

@Suite("Progress callbacks of workflows", .timeLimit(.minutes(5)))
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

    @Test("onProgress reports each value once")
    func once() async throws {
        let workflow = Workflow("pages")
        let pages = try workflow.map("page", over: Array(0..<40), limit: 4) { (number: Int) async in number }
        let seen = Recorder<WorkflowProgress>()
        pages.onProgress { seen.record($0) }
        try await workflow.run()
        await eventually { seen.values.last?.fraction == 1 }
        let values = seen.values
        #expect(!zip(values, values.dropFirst()).contains { $0 == $1 })
    }

    @Test("WF-98: the progress of a workflow counts a map's elements, and not the map as well")
    func mapsInWorkflows() async throws {
        let workflow = Workflow("pages")
        let gate = Gate()
        let pages = try workflow.map("page", over: [1, 2, 3]) { number in
            if number == 3 { await gate.wait() }
            return number
        }
        let none = try workflow.map("none", over: [Int]()) { $0 }
        try workflow.add("sum", after: pages, none) { pages, none in pages.reduce(0, +) + none.count }
        #expect(workflow.progress.total == 5)
        try workflow.start()
        await eventually { workflow.progress.finished == 3 }
        #expect(workflow.progress.executing == 1 && workflow.progress.fraction == 0.6)
        gate.open()
        try await workflow.run()
        #expect(workflow.progress.finished == 5 && workflow.progress.fraction == 1)
    }

    @Test("WF-98: a map whose element fails counts one failure")
    func failedMaps() async throws {
        struct Broken: Error {}
        let workflow = Workflow("pages")
        try workflow.map("page", over: [1, 2]) { number in
            if number == 2 { throw Broken() }
        }
        _ = await workflow.outcome()
        #expect(workflow.progress.failed == 1 && workflow.progress.total == 2)
        #expect(workflow.progress.fraction == 0.5)
    }

    @Test("WF-98: a map that is reset after its elements have finished keeps the fraction below 1")
    func openMaps() async throws {
        let workflow = Workflow("pages")
        let pages = try workflow.map("page", over: [1, 2]) { $0 }
        try await workflow.run()
        pages.task.reset()
        #expect(workflow.progress.finished == 2 && workflow.progress.total == 2)
        #expect(workflow.progress.fraction < 1)
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
