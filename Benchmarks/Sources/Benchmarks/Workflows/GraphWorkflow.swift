import Dispatch
import Stepline

/// Workflows made from graphs, and run: what most of these benchmarks need of the API.
enum GraphWorkflow {
    /// An empty workflow, whose bodies run so many at a time; as many as there are cores if it says nothing.
    static func make(workers: Int? = nil) -> Workflow {
        Workflow("bench", options: WorkflowOptions(maximumConcurrency: workers))
    }

    /// Adds a task for each of the graph's, all with the same body.
    @discardableResult
    static func add(
        _ graph: Graph, to workflow: Workflow, named name: String = "",
        body: @escaping @Sendable () -> Void = {}
    ) throws -> [TaskRef<Void>] {
        var refs: [TaskRef<Void>] = []
        refs.reserveCapacity(graph.count)
        for index in 0..<graph.count {
            let prerequisites = graph.prerequisites(of: index)
            refs.append(
                prerequisites.isEmpty
                    ? try workflow.add(name, body: body)
                    : try workflow.add(name, following: prerequisites.lazy.map { refs[$0] }, body: body))
        }
        return refs
    }

    /// Runs it, and waits on this thread for its end.
    static func runToEnd(_ workflow: Workflow) {
        let done = DispatchSemaphore(value: 0)
        Task {
            do { _ = try await workflow.run() } catch { say("failed: \(error)") }
            done.signal()
        }
        done.wait()
    }
}
