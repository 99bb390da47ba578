import SteplineRuns
package import SteplineWorkflow

/// A workflow made from a seed, whose results follow from its shape alone.
package struct RandomRun: Sendable {
    /// Of what kinds of tasks it is made.
    package enum Variety: Sendable {
        /// Those that come to the same however often they begin: the run may be cut off anywhere.
        case steady
        /// With those that fail, are tried again, time out and wait for places: a run that goes on ends the same.
        case lasting
        /// With those that messages reach, too, which somebody sends who hears of others.
        case full
    }

    /// How the names of plain cleanups end, which run although a run was cancelled.
    package static let cleanup = ".cleanup"

    private let seed: UInt64
    private let count: Int
    private let variety: Variety
    private let version: Int

    /// Some of its tasks have that version; what a lower count makes are the first tasks of a higher one.
    package init(seed: UInt64, count: Int, _ variety: Variety = .steady, version: Int = 1) {
        self.seed = seed
        self.count = count
        self.variety = variety
        self.version = version
    }

    /// Makes it anew; `began` hears of each body.
    package func make(_ began: @escaping @Sendable (String) -> Void = { _ in }) throws -> Workflow {
        var options = WorkflowOptions(grace: .zero)
        if variety != .steady, seed % 3 == 0 { options.maximumConcurrency = 3 }
        let workflow = Workflow("random", options: options)
        var graph = RandomGraph(
            workflow, variety, version, StableRandom(seed: seed), level: 0,
            prefix: "0", began)
        try graph.fill(count)
        return workflow
    }

    /// How all tasks stand, by name.
    package static func states(_ workflow: Workflow) -> [String: String] {
        var states: [String: String] = [:]
        for task in workflow.allTasks {
            let snapshot = task.snapshot
            var text = "\(snapshot.state)"
            if let inner = (task as? SubworkflowTask)?.subworkflow {
                for (name, state) in Self.states(inner) { states["\(task.name)/\(name)"] = state }
            } else if snapshot.state == .finished {
                // Of one that makes nothing, nothing is kept.
                text += snapshot.result.map { $0 is Void ? "" : " \($0)" } ?? ""
            }
            if let error = snapshot.error { text += " \(error)" }
            states[task.name] = text
        }
        return states
    }
}
