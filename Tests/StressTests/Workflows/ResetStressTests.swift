import Stepline
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

/// Random graphs under messages that are sent at any reading of the clock, played on one thread.
@Suite("Results after resets", .timeLimit(StressRun.timeLimit))
struct ResetStressTests {
    @Test("at rest, what is Finished was made from what its prerequisites hold, and no pool lacks a place")
    func results() async throws {
        let seeds = Chance.seed...Chance.seed + UInt64(Chance.rounds(300)) - 1
        try await explore(seeds: seeds) { simulation in
            let model = try ResetModel(simulation)
            let workflow = model.workflow
            for _ in 0..<3 {
                model.sendMessages(6)
                // A message that is sent after the end of a run may have begun another.
                for _ in 0..<20 {
                    _ = await workflow.outcome()
                    if workflow.status != .running { break }
                }
                if workflow.status == .running { continue }
                let faults = model.faults()
                simulation.expect(faults == [], "\(faults) after \(model.sent); \(model.states)")
            }
            model.calmDown()
            await model.finish()
            simulation.expect(
                !workflow.hasUnfinishedTasks, "not all is Finished after \(model.sent): \(model.states)")
            let faults = model.faults()
            simulation.expect(faults == [], "\(faults) at the end, after \(model.sent); \(model.states)")
            simulation.expect(
                model.pool.free == model.pool.capacity,
                "\(model.pool.free) of \(model.pool.capacity) places are free after \(model.sent)")
        }
    }
}
