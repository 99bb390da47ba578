import SteplineSupport

extension Workflow {
    /// How many workflows inside each other a picture shows.
    private static let greatestDepth = 16

    /// The workflow as it stands, with the workflows inside its tasks.
    ///
    /// Costs O(V + E). The workflows inside are looked at one after the other, each as of one instant.
    package func graph() -> WorkflowGraph { graph(path: core.options.path, depth: 0) }

    private func graph(path: [Int], depth: Int) -> WorkflowGraph {
        let status = status
        var (graph, inner) = core.machine.withLock { ($0.graph(path), $0.innerWorkflows()) }
        graph.status = status
        guard depth < Self.greatestDepth else { return graph }
        for (index, workflow) in inner {
            graph.tasks[index].inside = workflow.graph(path: path + [index + 1], depth: depth + 1)
        }
        return graph
    }

    /// How the workflow stands right now, as ``run()`` reports it at the end.
    ///
    /// With its attempts, if ``WorkflowOptions/keptAttempts`` says so. Costs O(V + E).
    public func report() -> RunReport { core.machine.withLock { $0.report() } }
}

extension WorkflowState {
    /// The tasks, as they stand, without what is inside them.
    func graph(_ path: [Int]) -> WorkflowGraph {
        var graph = WorkflowGraph(name: tables.name)
        graph.keptAttempts = options.keptAttempts
        graph.tasks.reserveCapacity(nodes.count)
        graph.edges.reserveCapacity(edges.count)
        for index in nodes.indices {
            var task = WorkflowGraph.Task(id: TaskID(around: path, position: index + 1), name: name(index))
            let node = nodes[index]
            task.state = node.state
            task.attempt = Int(node.attempt)
            task.isBlocked = node.state == .pending && node.flags.contains(.blocked)
            task.isCleanup = node.flags.contains(.cleanup)
            task.isCondition = node.flags.contains(.condition)
            if node.state == .failed { task.error = (parts[index].value as? TaskFailure)?.error }
            if node.state == .failed || node.state == .finished {
                task.finishDate = date(parts[index].endedAt)
            }
            task.prerequisites = edgeRange(index)
            if let log = tables.log {
                let name = RunReport.TaskName(id: task.id, name: task.name)
                task.attempts = log.entries(index).map { record($0, name, until: log.last) }
            }
            graph.tasks.append(task)
        }
        for (number, name) in tables.groups.names.enumerated() {
            let members = tables.groups[name].map(Int.init)
            graph.groups.append(WorkflowGraph.Group(name: name, tasks: members))
            for index in members { graph.tasks[index].group = number }
        }
        for edge in edges.indices.lazy.map({ edges[$0] }) {
            graph.edges.append(
                WorkflowGraph.Edge(
                    prerequisite: Int(edge.prerequisite), dependent: Int(edge.dependent),
                    allowsFailure: edge.allowsFailure, guards: edge.guards
                )
            )
        }
        for (dependent, keys) in tables.keys {
            for place in edgeRange(Int(dependent)) {
                let found = keys.filter { $0.value == edges[place].prerequisite }
                graph.edges[place].keys = found.keys.map(\.description).sorted()
            }
        }
        return graph
    }

    private func record(
        _ entry: AttemptLog.Entry, _ name: RunReport.TaskName, until last: Int64
    ) -> AttemptRecord {
        let hasFailed = entry.outcome == .failed || entry.outcome == .retried
        return AttemptRecord(
            task: name, number: entry.number, begin: date(entry.begin), end: entry.end.map { date($0) },
            outcome: entry.outcome, error: hasFailed ? entry.failure : nil, waits: entry.waits,
            beginTime: entry.begin, endTime: entry.end ?? max(entry.begin, last)
        )
    }

    fileprivate func innerWorkflows() -> [(Int, Workflow)] {
        nodes.indices.compactMap { index in
            guard nodes[index].flags.contains(.subworkflow), case .object(let task) = parts[index].work,
                let task = task as? SubworkflowTask
            else { return nil }
            return (index, task.subworkflow)
        }
    }
}
