import Stepline
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

/// Random graphs under messages that are sent at any reading of the clock, played on one thread.
@Suite("Results after resets", .timeLimit(StressRun.timeLimit))
struct ResetStressTests {
    @Test("at rest, what is Finished was made from what its prerequisites hold, and no pool lacks a place")
    func results() async throws { try await play(reachesInside: false) }

    @Test("resets, retries and starts of what is inside, also two levels deep, leave nothing stale")
    func insides() async throws { try await play(reachesInside: true) }

    /// Waits until nothing is left to do: a reset may still be on its way to a workflow inside.
    private func rest(_ simulation: Simulation) async {
        let rest = OneShot<Void>()
        let timer = simulation.clock.schedule(after: .seconds(60)) { rest.fulfill(()) }
        await rest.value
        timer.cancel()
    }

    private func play(reachesInside: Bool) async throws {
        let seeds = Chance.seed...Chance.seed + UInt64(Chance.rounds(300)) - 1
        try await explore(seeds: seeds) { simulation in
            let model = try ResetModel(simulation, reachesInside: reachesInside)
            let workflow = model.workflow
            for _ in 0..<3 {
                model.sendMessages(6)
                // A message that is sent after the end of a run may have begun another.
                for _ in 0..<20 {
                    _ = await workflow.outcome()
                    await rest(simulation)
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

    @Test(
        "WF-68: after a reset of the whole workflow at any reading of the clock, nothing is Finished, also inside"
    )
    func resetOfAll() async throws {
        let sent = Locked(0)
        try await explore(seeds: 1...80) { simulation in
            let clock = ReentrantClock(simulation.clock)
            let options = WorkflowOptions(grace: .zero, clock: clock)
            let workflow = Workflow("outer", options: options), inner = Workflow("inner", options: options)
            try inner.add("inside") { 1 }
            let list = try workflow.add("list") { [1, 2] }
            let around = SubworkflowTask(name: "around", subworkflow: inner)
            try workflow.add(around, prerequisites: [list.task])
            let map = try workflow.map("map", over: list) { $0 }
            let elements = (map.task as? SubworkflowTask)?.subworkflow
            try workflow.start()
            let readingsLeft = Locked(Int(simulation.seed))
            clock.onCall {
                let isDue = readingsLeft.withLock { left in
                    left -= 1
                    return left == 0
                }
                if isDue { workflow.reset() }
            }
            await rest(simulation)
            clock.onCall(nil)
            guard readingsLeft.withLock({ $0 <= 0 }) else { return }
            sent.withLock { $0 += 1 }
            for workflow in [workflow, inner, elements].compactMap({ $0 }) {
                simulation.expect(
                    workflow.taskCount(in: .finished) == 0, "\(workflow.name) has Finished tasks")
            }
        }
        #expect(sent.withLock { $0 } > 20)
    }
}
