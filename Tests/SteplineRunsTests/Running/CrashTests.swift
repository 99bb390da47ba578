import RunsTestSupport
import SteplineRuns
import SteplineRunsTesting
import SteplineTesting
import Testing

@Suite("Durable runs that are cut off", .timeLimit(.minutes(5)))
struct CrashTests {
    @Test(
        "DR-3, DR-12, DR-13, DR-71: cut off at any write, before or after it is kept, a run goes on and ends as an undisturbed one",
        arguments: Chaos.seeds())
    func everyWrite(_ seed: UInt64) async throws {
        try await RunStoreRequirement.interruptions(seed: seed).check { .memory() }
    }
}
