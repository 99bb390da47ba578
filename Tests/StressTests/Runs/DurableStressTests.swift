import Foundation
import Stepline
import SteplineRuns
import SteplineRunsTesting
import SteplineTesting
import Testing

/// Kept runs of every kind of task under messages, cut off anywhere: whatever was done to one, it can be brought to its end.
///
/// They are tried where the environment asks for it, as by `make stress`.
@Suite(
    .timeLimit(.minutes(5)),
    .enabled(if: ProcessInfo.processInfo.environment["STEPLINE_STRESS_ROUNDS"] != nil))
struct DurableStressTests {
    @Test(
        "DR-10, DR-13, DR-17, DR-19: messages while ends are being kept, and stores that are cut off",
        arguments: WorkflowStress.seeds)
    func kept(_ seed: UInt64) async throws {
        var random = SeededRandom(seed)
        let store: any RunStore = .memory()
        for _ in 0..<2 {
            let graph = try NestedGraph(seed: seed)
            let cut: CuttingStore.Cut =
                Bool.random(using: &random) ? .never : .before(Int.random(in: 3...30, using: &random))
            let cutting = CuttingStore(store, cut)
            let seeds = (0..<2).map { _ in UInt64.random(in: 1...1_000_000, using: &random) }
            let isDone = Gate()
            let running = Task {
                _ = try? await graph.workflow.run(in: cutting, key: "k", retryingFailures: true)
                isDone.open()
                for _ in 0..<2 { cutting.kept.record("over") }
            }
            // Who comes before the run is open is too early.
            await cutting.kept.waitForCount(2)
            await withTaskGroup(of: Void.self) { group in
                for seed in seeds {
                    group.addTask {
                        var random = SeededRandom(seed)
                        for _ in 0..<30 where !isDone.isOpen { await send(to: graph, &random) }
                    }
                }
            }
            // What somebody has taken back is started by nobody else.
            graph.turnLuck()
            for workflow in graph.workflows.dropFirst().reversed() where !isDone.isOpen {
                workflow.retry()
                _ = try? await workflow.run()
            }
            if !isDone.isOpen {
                graph.workflow.retry()
                try? graph.workflow.start()
            }
            await running.value
        }
        let last = try NestedGraph(seed: seed)
        last.turnLuck()
        let report = try await last.workflow.run(in: store, key: "k", retryingFailures: true)
        #expect(report.run.ending == .finished, "seed \(seed)")
        #expect(last.pool.free == last.pool.capacity, "seed \(seed)")
        try store.forEachStep(of: RunID("stress", key: "k")) { step in
            // Somebody may have put back what is inside a task that has finished.
            if step.name != "clean", !step.name.contains("/") {
                #expect(step.state == .finished, "seed \(seed): \(step.name)")
            }
        }
        let again = try NestedGraph(seed: seed)
        let idle = try await again.workflow.run(in: store, key: "k")
        #expect(idle.executed.isEmpty, "seed \(seed): \(idle.executed)")
    }

    private func send(to graph: NestedGraph, _ random: inout SeededRandom) async {
        let workflow = graph.workflows[Int.random(in: 0..<3, using: &random)]
        guard let task = workflow.allTasks.randomElement(using: &random) else { return }
        switch Int.random(in: 0..<10, using: &random) {
        case 0: if Int.random(in: 0..<5, using: &random) == 0 { workflow.cancel() }
        case 1: workflow.reset()
        case 2: workflow.retry()
        case 3: task.cancel()
        case 4: task.reset()
        case 5: task.retry()
        case 6: try? task.start()
        default: await Task.yield()
        }
    }
}
