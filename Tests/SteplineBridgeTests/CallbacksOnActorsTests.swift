import Dispatch
import Stepline
import SteplineTesting
import Testing

/// Callbacks that touch what an actor guards: that this compiles is half of the test.
@Suite("Callbacks on actors", .timeLimit(.minutes(5)))
struct CallbacksOnActorsTests {
    private struct Failure: Error {}

    @MainActor
    private final class Screen {
        private(set) var lines: [String] = []
        private let shown = Gate()

        func show(_ line: String) {
            MainActor.assertIsolated()
            lines.append(line)
            if line == "last" { shown.open() }
        }

        func watch(_ pipeline: Pipeline<Int>) {
            pipeline.onSuccess(on: .main) { self.show("success \($0)") }
            pipeline.onFailure(on: .main, for: self) { self.show("failure \($0.code)") }
            pipeline.onEnd(on: .main) { [weak self] in self?.show("end \($0.error == nil)") }
            pipeline.onSuccess(on: .main) { _ in self.show("last") }
        }

        func watch(_ task: WorkflowTask, in workflow: Workflow) {
            task.onSuccess(on: .main) { self.show("success \($0 as? Int ?? -1)") }
            task.onFailure(on: .main) { self.show("failure \($0 is Failure)") }
            task.onEnd(on: .main) { self.show("end \($0.error == nil)") }
            workflow.onEnd(on: .main) { outcome in
                self.show("workflow \(outcome.error != nil)")
                self.show("last")
            }
        }

        func watch(_ handle: TaskHandle<Int>) {
            handle.onEnd(on: .main) { self.show("end \($0.error == nil)") }
            handle.onSuccess(on: .main) { self.show("success \($0)") }
            handle.onFailure(on: .main) { self.show("failure \($0)") }
            handle.onSuccess(on: .main) { _ in self.show("last") }
        }

        func waitForLast() async { await shown.wait() }
    }

    private actor Ledger {
        private(set) var sum = 0
        private let reported = Gate()

        func add(_ number: Int) {
            sum += number
            if sum >= 111 { reported.open() }
        }

        func watch(
            _ pipeline: Pipeline<Int>, _ task: WorkflowTask, _ workflow: Workflow, _ handle: TaskHandle<Int>
        ) {
            pipeline.onSuccess(on: self) { ledger, value in ledger.add(value) }
            task.onEnd(on: self) { ledger, outcome in ledger.add(outcome.value as? Int ?? 0) }
            workflow.onEnd(on: self) { ledger, _ in ledger.add(0) }
            handle.onSuccess(on: self) { ledger, value in ledger.add(value) }
            handle.onFailure(on: self) { ledger, _ in ledger.add(1000) }
        }

        func waitForAll() async { await reported.wait() }
    }

    @Test("callbacks of a pipeline on the main actor access its state, in order")
    func pipelineOnMain() async throws {
        let screen = await MainActor.run { Screen() }
        let pipeline = Pipeline { BlockStep(from: .nothing, to: .body) { 3 } }
        await screen.watch(pipeline)
        try pipeline.start()
        await screen.waitForLast()
        let lines = await screen.lines
        #expect(lines == ["end true", "success 3", "last"])
    }

    @Test("callbacks of tasks and workflows on the main actor access its state")
    func workflowOnMain() async throws {
        let screen = await MainActor.run { Screen() }
        let workflow = Workflow("screen")
        let task = try workflow.add("task") { () throws -> Int in throw Failure() }
        await screen.watch(task.task, in: workflow)
        try workflow.start()
        await screen.waitForLast()
        let lines = await screen.lines
        #expect(lines == ["end false", "failure true", "workflow true", "last"])
    }

    @Test("callbacks of a handle on the main actor access its state")
    func handleOnMain() async {
        let screen = await MainActor.run { Screen() }
        let gate = Gate()
        let handle = TaskManager().add("three") {
            await gate.wait()
            return 3
        }
        await screen.watch(handle)
        gate.open()
        await screen.waitForLast()
        let lines = await screen.lines
        #expect(lines == ["end true", "success 3", "last"])
    }

    @Test("each kind of callback on a custom actor is isolated to it")
    func ownActor() async throws {
        let ledger = Ledger()
        let gate = Gate()
        let pipeline = Pipeline { BlockStep(from: .nothing, to: .body) { 1 } }
        let workflow = Workflow("ledger")
        let task = try workflow.add("task") { 10 }
        let handle = TaskManager().add("hundred") {
            await gate.wait()
            return 100
        }
        await ledger.watch(pipeline, task.task, workflow, handle)
        gate.open()
        try pipeline.start()
        try await workflow.run()
        await ledger.waitForAll()
        #expect(await ledger.sum == 111)
    }

    @Test("no callback begins on the main actor once a cancel there has returned")
    @MainActor
    func cancelledOnMain() async {
        for _ in 0..<50 {
            let called = Recorder<Int>()
            let handle = TaskManager().add("three") { 3 }
            handle.onSuccess(on: .main) { called.record($0) }
            _ = await handle.outcome()
            // Whether it has been called by now is open; from here on it isn't.
            handle.cancel()
            let before = called.count
            await withCheckedContinuation { continuation in
                DispatchQueue.main.async { continuation.resume() }
            }
            #expect(called.count == before)
        }
    }
}
