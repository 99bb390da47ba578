import Stepline
import SteplineSupport
import SteplineTesting
import Testing

/// The same random programs as those of threads, played: one seed is one order, wherever it is played.
@Suite("Workflows under simulated stress", .timeLimit(StressRun.timeLimit))
struct SimulatedStressTests {
    @Test("WF-104, WF-109: messages in any order keep to the rules, and the workflow can be finished")
    func messages() async throws {
        try await StressRun.play("workflows") { simulation in
            var random = StableRandom(seed: simulation.seed)
            let graph = try StressGraph(&random)
            let judge = EventJudge(graph.model)
            let events = graph.workflow.events
            async let read: Void = {
                for await event in events {
                    judge.judge(event)
                    if case .settled(.finished) = event.kind { return }
                }
            }()
            await sendMessages(to: graph, seed: simulation.seed)
            try await graph.finish()
            await read
            let states = graph.tasks.map(\.state)
            simulation.expect(states.allSatisfy { $0 == .finished }, "all can be finished: \(states)")
            simulation.expect(judge.faults.values == [], "\(judge.faults.values)")
            simulation.expect(judge.states == states, "events tell what has happened")
        }
    }

    /// Has four senders send random messages, with something else in between as the seed says.
    @Sendable private func sendMessages(to graph: StressGraph, seed: UInt64) async {
        await withDiscardingTaskGroup { group in
            for sender in 0..<4 {
                group.addTask {
                    var random = StableRandom(seed: seed &* 31 &+ UInt64(sender))
                    for _ in 0..<25 {
                        guard let message = WorkflowModel.Message.allCases.randomElement(using: &random)
                        else { return }
                        let task = Int.random(in: 0..<graph.tasks.count, using: &random)
                        try? graph.send(message, to: task)
                        await Task.yield()
                    }
                }
            }
        }
    }
}
