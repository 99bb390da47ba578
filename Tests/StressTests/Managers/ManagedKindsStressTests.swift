import Stepline
import SteplineTesting
import Testing

/// Every kind of managed task behind interceptors and reactors of every mind, under messages from several senders.
@Suite(.timeLimit(StressRun.timeLimit))
struct ManagedKindsStressTests {
    @Test(
        "MG-17, MG-55, MG-64, MG-65, MG-91: each task ends once and leaves nothing, whatever it is",
        arguments: StressRun.seeds(5))
    func kinds(_ seed: UInt64) async throws {
        let program = ManagedProgram(seed, isPlayed: false)
        await program.sendFromAll()
        let faults = try await program.finish()
        #expect(faults == [], "seed \(seed)")
    }
}

/// The same programs, played: each seed is one order.
@Suite(.timeLimit(StressRun.timeLimit))
struct PlayedManagersStressTests {
    @Test(
        "MG-17, MG-55, MG-64, MG-65, MG-91: each task ends once in every order, and no body needs the grace")
    func kinds() async throws {
        try await StressRun.play("managers") { simulation in
            if simulation.seed % 2 == 0 {
                simulation.faults = [.random(rate: 0.1), .lateTimers(rate: 0.3, by: .microseconds(300))]
            }
            let program = ManagedProgram(simulation.seed, isPlayed: true)
            await program.sendFromAll()
            let faults = try await program.finish()
            simulation.expect(faults.isEmpty, "\(faults)")
            simulation.expect(simulation.clock.uptime < .seconds(3_600), "no body needs the grace")
        }
    }
}
