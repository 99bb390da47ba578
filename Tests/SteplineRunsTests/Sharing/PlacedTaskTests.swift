import Foundation
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import TestSupport
import Testing

/// How tasks of a run stand on a worker, for the bodies there that look at them.
@Suite(.timeLimit(.minutes(5)))
struct PlacedTaskTests {
    /// Keeps nothing but which attempts have told their ends.
    private final class Journal: TaskJournal {
        let ends = Recorder<Int>()

        func record(_ entry: JournalEntry) -> Bool {
            if entry.isAwaited { ends.record(entry.attempt) }
            return false
        }
        func idempotencyKey(of number: Int) -> String { "\(number)" }
        func takeOver(_ number: Int, attempt: Int, _ inputs: TaskInputs) -> TakenResult? { nil }
        func restoredTasks(_ numbers: Range<Int>) -> [RestoredTask] { [] }
    }

    private func reported(_ state: RestoredTask.State, attempt: Int) -> RestoredTask {
        RestoredTask(0, state, attempt: attempt, failures: 0, ended: Date())
    }

    @Test("DR-41: a task stays as it was told to stand when its old body is over")
    func oldBody() async throws {
        let gate = Gate(), workflow = Workflow("placed"), journal = Journal()
        defer { gate.open() }
        let task = BlockTask(name: "one") { attempt in
            gate.block()
            attempt.finish()
        }
        try workflow.add(task)
        #expect(workflow.beginAlone(journal))
        defer { workflow.end(journal) }
        #expect(workflow.runAlone(0, attempt: 1, failures: 0, after: []))
        await gate.waitForArrivals()
        // The body that runs here is newer than the notification.
        workflow.place([reported(.cancelled, attempt: 0)])
        #expect(task.state == .executing)
        workflow.stopAlone(0, CancellationReason(.requested, "another worker has it"))
        workflow.place([reported(.finished(nil), attempt: 2)])
        #expect(task.state == .finished && workflow.hasBody(0))
        gate.open()
        await eventually { !workflow.hasBody(0) }
        workflow.putBack([0])
        #expect(task.state == .finished)
        #expect(workflow.runAlone(0, attempt: 3, failures: 0, after: []))
        await journal.ends.waitForCount(1)
        workflow.putBack([0])
        #expect(journal.ends.values == [3] && task.state == .pending)
    }
}
