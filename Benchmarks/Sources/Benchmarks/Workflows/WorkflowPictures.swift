import Foundation
import Stepline

/// Measures pictures of large workflows, whose cost grows no faster than the workflow.
enum WorkflowPictures: Benchmark {
    static let name = "workflow-pictures"
    static let summary = "pictures of 10,000 tasks that have run, layered, three prerequisites each"

    static func run() throws -> [Finding] {
        let (small, large) = (try ran(Sizes.of(2000)), try ran(Sizes.of(10_000)))
        return PictureFormat.all.flatMap { format in
            var size = 0
            let turns = Turns(rounds: 5, of: [small, large].map(\.taskCount)) { count in
                let workflow = count == small.taskCount ? small : large
                let time = nanoseconds { size = workflow.picture(as: format).utf8.count }
                return [time, time / Double(count)]
            }
            return [
                Finding(
                    "\(format), \(size / 1024) KB", (turns.median(large.taskCount) ?? .nan) / 1e9, "s")
            ]
                + [
                    Finding(
                        "\(format): a task of 10,000, of the time of one of 2,000",
                        ratio: turns.ratio(large.taskCount, to: small.taskCount, 1), atMost: 2)
                ].compactMap { $0 }
        }
    }

    private static func ran(_ count: Int) throws -> Workflow {
        let workflow = Workflow("pictures", options: WorkflowOptions(keptAttempts: 8))
        let graph = Graph(.layered, count)
        var refs: [TaskRef<Void>] = []
        for index in 0..<graph.count {
            let before = graph.prerequisites(of: index).lazy.map { refs[$0] }
            refs.append(try workflow.add("task \(index)", following: before) {})
        }
        GraphWorkflow.runToEnd(workflow)
        return workflow
    }
}
