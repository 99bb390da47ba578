import Stepline
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

/// Kept runs of every kind of task under messages, cut off anywhere, on threads.
///
/// They run if `STEPLINE_ROUNDS` is set, as `make stress` does.
@Suite(
    .timeLimit(StressRun.timeLimit),
    .enabled(if: Chance.givenRounds != nil))
struct DurableStressTests {
    @Test(
        "DR-10, DR-13, DR-17, DR-19: messages while ends are being kept, and stores that are cut off",
        arguments: StressRun.seeds(5))
    func kept(_ seed: UInt64) async throws {
        var random = StableRandom(seed: seed)
        let program = KeptProgram(seed)
        for _ in 0..<2 { try await program.interrupt(&random) }
        let faults = try await program.finish()
        #expect(faults == [], "seed \(seed)")
    }
}

/// The same programs, played: each seed is one order, with kills, signals and second processes besides.
@Suite(.timeLimit(StressRun.timeLimit))
struct PlayedRunsStressTests {
    @Test(
        "DR-10, DR-13, DR-17, DR-18, DR-19: runs that are cut off, killed, cancelled or awaited end"
    )
    func kept() async throws {
        try await StressRun.play("durable runs") { simulation in
            var random = StableRandom(seed: simulation.seed)
            let program = KeptProgram(simulation.seed, in: simulation)
            for _ in 0..<2 {
                simulation.faults =
                    Bool.random(using: &random) ? [] : [.crash(rate: 0.02), .random(rate: 0.05)]
                try await program.interrupt(&random)
            }
            simulation.faults = []
            let faults = try await program.finish()
            simulation.expect(faults.isEmpty, "\(faults)")
            simulation.expect(simulation.clock.uptime < .seconds(3_600), "no body needs the grace")
        }
    }
}
