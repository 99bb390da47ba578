import Foundation
import SteplineRunsTesting
import SteplineWorkflow
import Testing

@testable import SteplineRuns

/// Runs that are cancelled while nobody has them open.
@Suite(.timeLimit(.minutes(5)))
struct EarlyCancelTests {
    @Test func `DR-19: a cancel that is sent before a run is opened ends it with its reason`() async throws {
        let store = MemoryRunStore(), id = RunID("early", key: "k")
        try store.openTest(id: id).close()
        _ = try store.send(.cancel("enough"), to: id, at: moment())
        let workflow = Workflow("early")
        try workflow.add("a") { 1 }
        await #expect(throws: CancellationError.self) { try await workflow.run(in: store, key: "k") }
        #expect(store.run(id)?.ending == .cancelled("enough"))
    }
}
