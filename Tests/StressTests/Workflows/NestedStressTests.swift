import Foundation
import Stepline
import SteplineSupport
import SteplineTesting
import Testing

/// Every kind of task, workflows inside workflows, and a queue whose operations vanish, under messages from several
/// threads.
@Suite(.timeLimit(StressRun.timeLimit))
struct NestedStressTests {
    @Test(
        "WF-65 to WF-70, WF-85, WF-104: kinds of tasks within each other, subscriptions and readers that come and go",
        arguments: StressRun.seeds(5))
    func nested(_ seed: UInt64) async throws {
        let graph = try NestedGraph(seed: seed)
        try graph.workflow.start()
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<3 {
                group.addTask {
                    var random = StableRandom(seed: seed &* 19 &+ UInt64(thread))
                    for _ in 0..<40 { await send(to: graph, &random) }
                }
            }
        }
        graph.turnLuck()
        // A task that a message reset inside isn't started by others.
        for workflow in graph.workflows.reversed() {
            workflow.retry()
            _ = try? await workflow.run()
        }
        graph.workflow.retry()
        let report = try await graph.workflow.run()
        #expect(report.ending == .finished, "seed \(seed)")
        #expect(graph.pool.free == graph.pool.capacity, "seed \(seed)")
        for workflow in graph.workflows { #expect(!workflow.hasUnfinishedTasks, "seed \(seed)") }
    }

    private func send(to graph: NestedGraph, _ random: inout StableRandom) async {
        let workflow = graph.workflows[Int.random(in: 0..<3, using: &random)]
        guard let task = workflow.allTasks.randomElement(using: &random) else { return }
        switch Int.random(in: 0..<16, using: &random) {
        case 0: workflow.cancel()
        case 1: workflow.reset()
        case 2, 3: workflow.retry()
        case 4, 5: task.cancel()
        case 6: task.reset()
        case 7, 8: task.retry()
        case 9: graph.queue.cancelAllOperations()
        case 10:
            let subscription = task.onEnd { _ in }
            await Task.yield()
            subscription.cancel()
        case 11: workflow.onEnd { _ in }.cancel()
        case 12:
            let events = workflow.events
            let reader = Task { for await event in events where event.number % 7 == 0 { break } }
            await Task.yield()
            reader.cancel()
        case 13: _ = workflow.explain()
        case 14: try? workflow.start()
        default: try? task.start()
        }
    }
}
