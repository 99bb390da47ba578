import Foundation
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import TestSupport
import Testing

@Suite("Signals that cancel a workflow", .timeLimit(.minutes(5)))
struct CancellingSignalTests {
    @Test("the first of the chosen signals cancels the run, and cleanups run; other signals are ignored")
    func cancels() async throws {
        let signals = SentSignals()
        let workflow = Workflow("night")
        let (gate, tidied) = (Gate(), Recorder<Void>())
        let load = try workflow.add("load") { () async in await gate.wait() }
        try workflow.addCleanup("tidy up", after: [load.task]) { tidied.record(()) }
        let run = Task { try await workflow.run(cancellingOn: [.interrupt, .terminate], sentBy: signals) }
        await gate.waitForArrivals()
        signals.send(SIGHUP)
        #expect(load.task.isExecuting)
        signals.send(SIGTERM)
        #expect(load.task.isCancelled)
        gate.open()
        await #expect(throws: CancellationError.self) { try await run.value }
        #expect(load.task.snapshot.cancellation?.description == "signal \(SIGTERM)" && tidied.count == 1)
    }

    @Test("without a signal the run ends as any run, and a later signal does nothing")
    func unharmed() async throws {
        let signals = SentSignals()
        let workflow = Workflow("night")
        let load = try workflow.add("load") { 1 }
        #expect(try await workflow.run(cancellingOn: .interrupt, sentBy: signals).ending == .finished)
        signals.send(SIGINT)
        #expect(load.result == 1)
    }
}
