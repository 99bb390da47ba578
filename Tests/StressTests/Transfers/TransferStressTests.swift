import Stepline
import SteplineTesting
import Testing

/// Loads that come, wait for their host, are shared and are cancelled, from several threads.
@Suite(.timeLimit(StressRun.timeLimit))
struct TransferStressTests {
    @Test(
        "PL-79, PL-81, PL-82, PL-87: each load ends once, as its server had it, and leaves its host's line",
        arguments: StressRun.seeds(5))
    func loads(_ seed: UInt64) async throws {
        let program = TransferProgram(seed, isPlayed: false)
        await program.sendFromAll()
        let faults = await program.finish()
        #expect(faults == [], "seed \(seed)")
    }
}

/// The same programs, played: each seed is one order.
@Suite(.timeLimit(StressRun.timeLimit))
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
