import Dispatch
import Foundation
import Stepline

/// One build and run of a shape, in nanoseconds a task.
struct WorkflowTiming {
    var build = 0.0
    var run = 0.0

    static func closures(_ shape: Shape, _ count: Int) throws -> WorkflowTiming {
        let workflow = Workflow("bench")
        let graph = Graph(shape, count)
        var refs: [TaskRef<Void>] = []
        refs.reserveCapacity(count)
        var timing = WorkflowTiming()
        timing.build = nanoseconds {
            do {
                for index in 0..<graph.count {
                    let prerequisites = graph.prerequisites(of: index)
                    refs.append(
                        prerequisites.isEmpty
                            ? try workflow.add("") {}
                            : try workflow.add("", following: prerequisites.lazy.map { refs[$0] }) {})
                }
            } catch { print(error) }
        }
        timing.run = nanoseconds { runToEnd(workflow) }
        let tasks = Double(refs.count)
        return WorkflowTiming(build: timing.build / tasks, run: timing.run / tasks)
    }

    static func runToEnd(_ workflow: Workflow) {
        let done = DispatchSemaphore(value: 0)
        Task {
            do { _ = try await workflow.run() } catch { print(error) }
            done.signal()
        }
        done.wait()
    }
}

enum Workflows: Benchmark {
    static let name = "workflows"
    static let summary = "1,000,000 empty tasks, built and run, against oneTBB's flow graph"

    static func run() throws -> [Finding] {
        try Shape.allCases.flatMap { shape -> [Finding] in
            var ours: [WorkflowTiming] = []
            var theirs: [WorkflowTiming] = []
            for _ in 0..<5 {
                ours.append(try WorkflowTiming.closures(shape, 1_000_000))
                if let timing = FlowGraph.timing(shape, 1_000_000) { theirs.append(timing) }
            }
            let rival = theirs.isEmpty ? nil : "oneTBB, ns"
            return [
                Finding(
                    "\(shape): build, a task", median(ours.map(\.build)), "ns", bound: 300, rival: rival,
                    rivalValue: median(theirs.map(\.build))),
                Finding(
                    "\(shape): run, a task", median(ours.map(\.run)), "ns", bound: 250, rival: rival,
                    rivalValue: median(theirs.map(\.run))),
            ]
        }
    }
}

/// Tasks that are objects of a subclass.
enum WorkflowObjects: Benchmark {
    static let name = "workflow-objects"
    static let summary = "1,000,000 tasks by subclass, in one chain"

    static func run() throws -> [Finding] {
        let timings = try (0..<3).map { _ in try WorkflowTiming.subclasses(1_000_000) }
        return [
            Finding("build, a task", median(timings.map(\.build)), "ns", bound: 600),
            Finding("run, a task", median(timings.map(\.run)), "ns"),
        ]
    }
}
