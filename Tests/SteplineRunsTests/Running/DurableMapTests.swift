import Foundation
import SteplineRuns
import SteplineRunsTesting
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import TestSupport
import Testing

@Suite("Maps in durable runs", .timeLimit(.minutes(5)))
struct DurableMapTests {
    private struct Broken: Error {}
    private let id = RunID("mirror", key: "k")
    private let bodies = Recorder<String>()

    private func mirror(
        _ paths: [String], version: Int = 1, failing: String? = nil
    ) throws -> (workflow: Workflow, pages: TaskRef<[Int]>) {
        let workflow = Workflow("mirror")
        let bodies = self.bodies
        let index = try workflow.add("index", options: TaskOptions(version: version)) { paths }
        let pages = try workflow.map("page", over: index, key: { $0 }) { path in
            bodies.record(path)
            if path == failing { throw Broken() }
            return path.utf8.count
        }
        return (workflow, pages)
    }

    @Test("DR-4: elements are steps with keys of their own; what failed is run again, and nothing else")
    func elements() async throws {
        let store: any RunStore = .memory()
        let first = try mirror(["/a", "/bb", "/c"], failing: "/bb")
        await #expect(throws: WorkflowError.self) { try await first.workflow.run(in: store, key: "k") }
        let steps = try store.stepsByName(of: id)
        #expect(Set(steps.keys) == ["index", "page", "page[/a]", "page[/bb]", "page[/c]"])
        #expect(steps["page[/a]"]?.state == .finished && steps["page[/bb]"]?.state == .failed)
        let second = try mirror(["/a", "/bb", "/c"])
        let report = try await second.workflow.run(in: store, key: "k", retryingFailures: true)
        #expect(report.restored == ["index", "page[/a]", "page[/c]"])
        #expect(report.executed == ["page[/bb]", "page"])
        #expect(try second.pages.readValue() == [2, 3, 2])
        #expect(bodies.count == 4)
        let third = try await mirror([]).workflow.run(in: store, key: "k")
        #expect(third.executed == [] && third.restored.count == 5)
    }

    @Test("DR-4: the same elements in another order are the same steps, if their list stands")
    func order() async throws {
        let store: any RunStore = .memory()
        let cut = CuttingStore(store)
        let first = try mirror(["/a", "/bb"], failing: "/bb")
        await #expect(throws: WorkflowError.self) { try await first.workflow.run(in: cut, key: "k") }
        // Another version of the list makes all of them again, in its own order.
        let second = try mirror(["/bb", "/ccc"], version: 2)
        let report = try await second.workflow.run(in: store, key: "k", retryingFailures: true)
        #expect(report.restored == [])
        #expect(Set(report.executed) == ["index", "page[/bb]", "page[/ccc]", "page"])
        #expect(try second.pages.readValue() == [3, 4])
        #expect(try store.stepsByName(of: id)["page[/a]"]?.state == .pending)
    }

    @Test("DR-4: a map over a list in another order has its results in that order")
    func reordered() async throws {
        let workflow = Workflow("mirror")
        let isTurned = Locked(false)
        let bodies = self.bodies
        let list = try workflow.add("list") { isTurned.withLock { $0 } ? ["c", "aa"] : ["aa", "bbb"] }
        let sizes = try workflow.map("size", over: list, key: { $0 }) { text in
            bodies.record(text)
            return text.count
        }
        try await workflow.run()
        #expect(sizes.result == [2, 3])
        isTurned.withLock { $0 = true }
        list.task.reset()
        try await workflow.run()
        #expect(sizes.result == [1, 2])
        #expect(bodies.count == 4)
    }

    @Test("two elements with one key are an error that names the key")
    func doubleKey() async throws {
        let workflow = Workflow("mirror")
        let list = try workflow.add("list") { ["a", "a"] }
        let sizes = try workflow.map("size", over: list, key: { $0 }) { $0.count }
        _ = await workflow.outcome()
        #expect((sizes.task.error as? WorkflowError)?.code == .duplicateName)
        #expect("\(sizes.task.error.map { "\($0)" } ?? "")".contains("\"a\""))
    }

    @Test("DR-4, DR-11: an element that leaves its list and comes back in one process is kept")
    func backAgain() async throws {
        let store: any RunStore = .memory()
        let workflow = Workflow("mirror")
        let bodies = self.bodies, round = Locked(0)
        let list = try workflow.add("list") { round.withLock { $0 } == 1 ? ["/a"] : ["/a", "/bb"] }
        let pages = try workflow.map("page", over: list, key: { $0 }) { path in
            bodies.record(path)
            return path.utf8.count
        }
        let checked = Recorder<Int>(), gate = Gate()
        try workflow.add("check", after: pages) { checked.record($0.count) }
        try workflow.add("open") { await gate.wait() }
        let running = Task { try await workflow.run(in: store, key: "k") }
        for count in 1...2 {
            await eventually(within: .seconds(10)) { checked.count == count }
            round.withLock { $0 = count }
            list.task.reset()
            try list.task.start()
        }
        await eventually(within: .seconds(10)) { checked.count == 3 }
        gate.open()
        let report = try await running.value
        #expect(try pages.readValue() == [2, 3])
        let steps = try store.stepsByName(of: id)
        #expect(steps["page[/bb]"]?.state == .finished && steps["page[/a]"]?.state == .finished)
        #expect(Set(report.executed).isSuperset(of: ["list", "page[/a]", "page[/bb]", "page", "check"]))
    }
}
