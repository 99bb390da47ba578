import Stepline

/// A task by subclass, for the cost of making one.
final class EmptyTask: WorkflowTask, @unchecked Sendable {  // adds nothing
    override func main() { finish() }
}

/// Tasks that are objects of a subclass, beside those that are closures.
enum WorkflowObjects: Benchmark {
    static let name = "workflow-objects"
    static let summary = "1,000,000 tasks by subclass, in one chain"

    private enum Contender: CaseIterable { case objects, closures }

    private static let count = Sizes.of(1_000_000)

    static func run() throws -> [Finding] {
        let graph = Graph(.chain, count)
        let turns = try Turns(rounds: 5, of: Contender.allCases) { contender in
            let workflow = GraphWorkflow.make()
            let build = try nanoseconds {
                switch contender {
                case .objects: try addObjects(to: workflow)
                case .closures: try GraphWorkflow.add(graph, to: workflow)
                }
            }
            let run = nanoseconds { GraphWorkflow.runToEnd(workflow) }
            return [build / Double(count), run / Double(count)]
        }
        return [("build", 0), ("run", 1)].map { name, figure in
            Finding(
                "\(name), a task", turns.median(.objects, figure) ?? .nan, "ns", rival: "closures, ns",
                rivalValue: turns.median(.closures, figure))
        }
            + [
                Finding(
                    "build, of the time of closures", ratio: turns.ratio(.objects, to: .closures), atMost: 3)
            ].compactMap { $0 }
    }

    private static func addObjects(to workflow: Workflow) throws {
        var last: EmptyTask?
        for _ in 0..<count {
            let task = EmptyTask()
            try workflow.add(task, prerequisites: last.map { [$0] } ?? [])
            last = task
        }
    }

    /// Builds and runs them again and again, for a profiler to look at.
    static func profile() throws {
        for _ in 0..<3 {
            let workflow = GraphWorkflow.make()
            try addObjects(to: workflow)
            say("\(nanoseconds { GraphWorkflow.runToEnd(workflow) } / Double(count))")
        }
    }
}
