import Foundation
import Stepline

extension BlockingBodies {
    /// Holds up the thread that it runs on.
    private static func block() { usleep(10_000) }

    /// Starts so many pipelines of one step that blocks.
    static func startBlockingPipelines(_ count: Int, _ latch: Latch) {
        for _ in 0..<count {
            let pipeline = Pipeline()
            orFail { try pipeline.addStep(BlockStep { block() }) }
            start(pipeline, latch)
        }
    }

    static func startShortPipeline(_ latch: Latch) {
        var first = Content()
        first.bodyObject = 0
        let pipeline = Pipeline(content: first)
        for _ in 0..<4 { orFail { try pipeline.addStep(AddOne()) } }
        start(pipeline, latch)
    }

    private static func start(_ pipeline: Pipeline<Content>, _ latch: Latch) {
        latch.enter()
        pipeline.onEnd { _ in latch.leave() }
        orFail { try pipeline.start() }
    }

    /// Starts a workflow of so many tasks that block, none of which waits for another.
    static func startBlockingTasks(_ count: Int, _ latch: Latch) {
        start(Graph(.independent, count), latch) { block() }
    }

    static func startShortWorkflow(_ latch: Latch) {
        start(Graph(.chain, 4), latch) {}
    }

    private static func start(_ graph: Graph, _ latch: Latch, body: @escaping @Sendable () -> Void) {
        let workflow = GraphWorkflow.make()
        _ = orFail { try GraphWorkflow.add(graph, to: workflow, body: body) }
        latch.enter()
        Task {
            do { _ = try await workflow.run() } catch { say("failed: \(error)") }
            latch.leave()
        }
    }
}
