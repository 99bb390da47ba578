import SteplineRuns
import SteplineRunsTesting
import SteplineTesting
import TestSupport
import Testing

@Suite("Durable runs that are cut off", .timeLimit(.minutes(30)))
struct CrashTests {
    /// How many seeds are tried; more where the environment says so.
    private static let seeds: ClosedRange<UInt64> = 1...UInt64(Chance.givenRounds ?? 6)

    @Test(
        "DR-3, DR-12, DR-13, DR-71: cut off at any write, before or after it is kept, a run goes on and ends as an undisturbed one",
        arguments: seeds)
    func everyWrite(_ seed: UInt64) async throws {
        try await RunStoreRequirement.interruptions(seed: seed).check { .memory() }
    }
}
