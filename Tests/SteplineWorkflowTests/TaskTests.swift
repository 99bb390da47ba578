import Foundation
import SteplineTesting
import SteplineWorkflow
import Testing

@Suite(.timeLimit(.minutes(5)))
struct TaskTests {
    @Test("WF-1: a new task is Ready at attempt 0, with nothing else")
    func newTask() async throws {
        let task = WorkflowTask()
        #expect(task.isReady && task.snapshot.attempt == 0)
        #expect(task.workflow == nil && task.result == nil && task.error == nil && task.finishDate == nil)
        #expect(task.queue == nil && task.taskID == nil)
        #expect(task.prerequisites.isEmpty && task.dependents.isEmpty && task.keyedPrerequisites.isEmpty)
    }

    @Test("WF-1: relations are empty again when the workflow is gone")
    func relationsGone() throws {
        let first = named("first")
        let second = named("second")
        var workflow: Workflow? = Workflow()
        try workflow?.add(first)
        try workflow?.add(second, prerequisites: [first])
        #expect(second.prerequisites == [first])
        workflow = nil
        #expect(second.workflow == nil && second.prerequisites.isEmpty && first.dependents.isEmpty)
    }

    @Test("WF-2: the six states and their words")
    func states() {
        let words = WorkflowTask.State.allCases.map(\.description)
        #expect(words == ["Pending", "Ready", "Executing", "Cancelled", "Finished", "Failed"])
        #expect(WorkflowTask.State(rawValue: 6) == nil)
    }

    @Test("WF-3: names by class and position, renaming, and ids that never change")
    func names() throws {
        let workflow = Workflow()
        let task = BlockTask { $0.finish() }
        #expect(task.name == "BlockTask")
        try workflow.add(named("first"))
        try workflow.add(task)
        #expect(task.name == "BlockTask 2")
        task.rename("upload")
        #expect(task.name == "upload" && task.taskID?.description == "2")
        task.rename(nil)
        #expect(task.name == "BlockTask 2")
        #expect(workflow.name == "Workflow")
        workflow.rename("order")
        #expect(workflow.name == "order")
        try workflow.add(named("first"))
        #expect(workflow.tasks(named: "first").map { $0.taskID?.description } == ["1", "3"])
    }

    @Test("WF-4, WF-8: the plain class finishes with nil at once; a nil result and a nil error are legal")
    func nils() async throws {
        let workflow = Workflow()
        let plain = try workflow.add(WorkflowTask())
        let finished = try workflow.add(BlockTask { $0.finish() })
        let failed = try workflow.add(BlockTask { $0.fail() })
        await workflow.settle()
        #expect(plain.isFinished && plain.result == nil && plain.snapshot.attempt == 1)
        #expect(finished.isFinished && finished.result == nil)
        #expect(failed.isFailed && failed.error == nil)
    }

    @Test("WF-4: the return of run() finishes, its throw fails")
    func asyncRun() async throws {
        final class Sum: WorkflowTask, @unchecked Sendable {  // adds nothing
            override func run() async throws -> (any Sendable)? { 1 + 1 }
        }
        final class Thrower: WorkflowTask, @unchecked Sendable {  // adds nothing
            override func run() async throws -> (any Sendable)? { throw Broken(number: 3) }
        }
        let workflow = Workflow()
        let sum = try workflow.add(Sum())
        let thrower = try workflow.add(Thrower())
        await workflow.settle()
        #expect(sum.result as? Int == 2)
        #expect(thrower.error as? Broken == Broken(number: 3))
    }

    @Test("WF-4, WF-110: main() that calls super finishes with nil, and its own late end is ignored")
    func superMain() async throws {
        final class Caller: WorkflowTask, @unchecked Sendable {  // the recorder locks by itself
            let attempts = Recorder<TaskAttempt>()
            override func main() {
                attempts.record(currentAttempt)
                super.main()
            }
        }
        let workflow = Workflow()
        let task = try workflow.add(Caller())
        try await workflow.run()
        #expect(task.isFinished && task.result == nil)
        #expect(task.attempts.values[0].finish(with: 1) == false)
        #expect(task.result == nil)
    }

    @Test("WF-7, WF-8, WF-9: state, result, error and date come and go together; attempts are numbered")
    func facts() async throws {
        let clock = ManualClock()
        let workflow = Workflow(options: .init(clock: clock))
        let task = try workflow.add(HandTask())
        try workflow.start()
        _ = await task.attempt()
        clock.advance(by: .seconds(5))
        task.finish(with: 7)
        let end = task.snapshot
        #expect(end.state == .finished && end.result as? Int == 7 && end.error == nil)
        #expect(end.finishDate == Date(timeIntervalSinceReferenceDate: 5))
        task.reset()
        let empty = task.snapshot
        #expect(empty.result == nil && empty.error == nil && empty.finishDate == nil && empty.attempt == 1)
        try task.start()
        await task.attempt(2).fail(with: Broken())
        #expect(task.error as? Broken == Broken() && task.result == nil && task.finishDate != nil)
        task.retry()
        #expect(task.error == nil && task.finishDate == nil)
        _ = await task.attempt(3)
        task.cancel()
        #expect(task.finishDate == nil && task.result == nil && task.error == nil)
        #expect(task.attempts.values.map(\.number) == [1, 2, 3])
    }

    @Test("WF-17: descriptions name class, address, name and state")
    func descriptions() throws {
        let workflow = Workflow("order")
        let task = try workflow.add(named("upload"))
        let (ofTask, ofWorkflow) = (task.description, workflow.description)
        #expect(ofTask.hasPrefix("<BlockTask 0x") && ofTask.hasSuffix(" name = upload; state = Ready>"))
        #expect(ofWorkflow.hasPrefix("<Workflow 0x") && ofWorkflow.hasSuffix(" name = order>"))
    }

    @Test("WF-17: the debug description draws all dependents, each level indented, a task met again marked")
    func debugDescriptions() throws {
        let workflow = Workflow("order")
        let top = try workflow.add(named("top"))
        let left = try workflow.add(named("left"), prerequisites: [top])
        let right = try workflow.add(named("right"), prerequisites: [top])
        try workflow.add(named("bottom"), prerequisites: [left, right])
        func names(_ text: String) -> [String] {
            text.split(separator: "\n").map { line in
                let bars = line.prefix { $0 == " " || $0 == "|" }
                let name = workflow.allTasks.first { line.contains("name = \($0.name);") }?.name ?? "order"
                return bars + name + (line.hasSuffix(" (above)") ? " (above)" : "")
            }
        }
        #expect(
            names(top.debugDescription) == [
                "top", "   | left", "   |    | bottom", "   | right", "   |    | bottom (above)",
            ])
        #expect(names(workflow.debugDescription).prefix(3) == ["order", "   | top", "   |    | left"])
    }
}
