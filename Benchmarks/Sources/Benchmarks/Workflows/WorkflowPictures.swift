import Foundation
import Stepline

/// What pictures of a large workflow cost.
enum WorkflowPictures: Benchmark {
    static let name = "workflow-pictures"
    static let summary = "pictures of 10,000 tasks that have run, layered, three prerequisites each"

    static func run() throws -> [Finding] {
        let workflow = Workflow("pictures", options: WorkflowOptions(keptAttempts: 8))
        let graph = Graph(.layered, 10_000)
        var refs: [TaskRef<Void>] = []
        for index in 0..<graph.count {
            let before = graph.prerequisites(of: index).lazy.map { refs[$0] }
            refs.append(try workflow.add("task \(index)", following: before) {})
        }
        WorkflowTiming.runToEnd(workflow)
        return PictureFormat.all.map { format in
            var size = 0
            let times = (0..<3).map { _ in nanoseconds { size = workflow.picture(as: format).utf8.count } }
            return Finding("\(format), \(size / 1024) KB", median(times) / 1e9, "s", bound: 1)
        }
    }
}
