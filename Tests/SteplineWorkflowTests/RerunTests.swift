import Foundation
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import Testing

@Suite(.timeLimit(.minutes(5)))
struct RerunTests {
    @Test("WF-51, WF-95: a rerun is one run, with one end")
    func oneRun() async throws {
        let workflow = Workflow()
        let first = try workflow.add("first") { 1 }
        let second = try workflow.add("second", after: first) { $0 }
        let ends = Recorder<Bool>()
        let listening = workflow.onEnd { ends.record($0.isSuccess) }
        let observing = second.task.observe { _ in }
        try await workflow.run()
        for round in 2...50 {
            try workflow.rerun(from: second.task)
            await ends.waitForCount(round)
            #expect(await workflow.outcome().isSuccess)
            await ends.waitForCount(round)
        }
        #expect(!ends.values.contains(false))
        withExtendedLifetime((listening, observing)) {}
    }

    @Test("WF-51, WF-80: a rerun has the time of a run")
    func deadline() async throws {
        let clock = ManualClock()
        let workflow = Workflow(options: .init(deadline: .seconds(60), clock: clock))
        let task = try workflow.add(HandTask())
        try workflow.start()
        await task.attempt().finish()
        await workflow.settle()
        try workflow.rerun(from: task)
        let attempt = await task.attempt(2)
        clock.advance(by: .seconds(60))
        #expect(attempt.isCancelled && task.isCancelled)
        attempt.finish()
        await workflow.settle()
    }

    @Test("WF-95: a reset of an idle workflow is no run, with and without listeners")
    func resetIsNoRun() async throws {
        let workflow = Workflow()
        let task = try workflow.add("task") { 1 }
        let ends = Recorder<Bool>()
        let changes = Recorder<WorkflowTask.State>()
        let listening = workflow.onEnd { ends.record($0.isSuccess) }
        let observing = task.task.observe { changes.record($0.newState) }
        try await workflow.run()
        await ends.waitForCount(1)
        workflow.reset()
        await changes.waitForCount(4)
        await task.task.untilReady()
        try await workflow.run()
        await ends.waitForCount(2)
        #expect(ends.values == [true, true])
        withExtendedLifetime((listening, observing)) {}
    }

    @Test("WF-95: a task that was started by itself, and never began, makes a run with an end")
    func startedAlone() async throws {
        let queue = OperationQueue()
        queue.isSuspended = true
        let workflow = Workflow(queue: queue)
        let task = try workflow.add(HandTask())
        let ends = Recorder<Bool>()
        let listening = workflow.onEnd { ends.record($0.isSuccess) }
        try task.start()
        task.cancel()
        await ends.waitForCount(1)
        #expect(ends.values == [false])
        withExtendedLifetime(listening) {}
    }
}
