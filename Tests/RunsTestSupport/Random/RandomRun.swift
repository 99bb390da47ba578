import SteplineRuns
package import SteplineWorkflow

/// A reproducible workflow that is generated from a seed; its results depend only on its structure.
package struct RandomRun: Sendable {
    /// The kinds of tasks in a workflow.
    package enum Variety: Sendable {
        /// Tasks with the same outcome however often they start: the run may be cut off anywhere.
        case steady
        /// Also tasks that fail, are retried, time out or wait for pools: a resumed run has the same outcome.
        case lasting
        /// Also tasks that receive messages from listeners of other tasks.
        case full
    }

    /// The suffix of the names of plain cleanups, which run even if the run is cancelled.
    package static let cleanup = ".cleanup"

    private let seed: UInt64
    private let count: Int
    private let variety: Variety
    private let version: Int

    /// Makes a generator; some tasks get `version`, and a smaller `count` produces a prefix of the same tasks.
    package init(seed: UInt64, count: Int, _ variety: Variety = .steady, version: Int = 1) {
        self.seed = seed
        self.count = count
        self.variety = variety
        self.version = version
    }

    /// Makes a new workflow; `began` is called with the name of each body that starts.
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

    /// Returns the states of all tasks by name.
    package static func states(_ workflow: Workflow) -> [String: String] {
        var states: [String: String] = [:]
        for task in workflow.allTasks {
            let snapshot = task.snapshot
            var text = "\(snapshot.state)"
            if let inner = (task as? SubworkflowTask)?.subworkflow {
                for (name, state) in Self.states(inner) { states["\(task.name)/\(name)"] = state }
            } else if snapshot.state == .finished {
                // A store keeps no result for a task without one, so leave out `Void`.
                text += snapshot.result.map { $0 is Void ? "" : " \($0)" } ?? ""
            }
            if let error = snapshot.error { text += " \(error)" }
            states[task.name] = text
        }
        return states
    }
}
