import Stepline
import SteplineTesting
import Testing

/// Loads that come, wait for their host, are shared and are cancelled, from several threads.
@Suite(.timeLimit(.minutes(5)))
struct TransferStressTests {
    @Test(
        "PL-79, PL-81, PL-82, PL-87: each load ends once, as its server had it, and leaves its host's line",
        arguments: WorkflowStress.seeds)
    func loads(_ seed: UInt64) async throws {
        let program = TransferProgram(seed, isPlayed: false)
        await program.sendFromAll()
        let faults = await program.finish()
        #expect(faults == [], "seed \(seed)")
    }
}

/// The same programs, played: each seed is one order.
@Suite(.timeLimit(.minutes(20)))
struct PlayedTransfersStressTests {
    @Test("PL-79, PL-81, PL-82, PL-87: each load ends once in every order")
    func loads() async throws {
        try await StressRun.play("transfers") { simulation in
            let program = TransferProgram(simulation.seed, isPlayed: true)
            await program.sendFromAll()
            let faults = await program.finish()
            simulation.expect(faults.isEmpty, "\(faults)")
        }
    }
}
