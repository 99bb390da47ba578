import SteplineEngine
import SteplineSupport

extension Workflow {
    /// The maximum depth of nested workflows in a picture.
    private static let greatestDepth = 16

    /// Returns the current state of the workflow, including its inner workflows.
    ///
    /// Costs O(V + E). Each workflow is read at one moment, one after the other.
    package func graph() -> WorkflowGraph { graph { _ in nil } }

    /// Returns the current state like ``graph()``, including the workflows that user-defined tasks run.
    package func graph(inside find: (WorkflowTask) -> Workflow?) -> WorkflowGraph {
        graph(path: core.look { $0.eventLog.path }, depth: 0, find)
    }

    private func graph(
        path: [Int], depth: Int, _ find: (WorkflowTask) -> Workflow?
    ) -> WorkflowGraph {
        var (graph, objects) = core.look { ($0.picture(path), $0.objects()) }
        // A user's task may return a workflow that contains itself.
        guard depth < Self.greatestDepth else { return graph }
        // `find` is user code, so it runs without the lock.
        let inner = objects.compactMap { number, task in
            ((task as? SubworkflowTask)?.subworkflow ?? find(task)).map { (number, $0) }
        }
        for (number, workflow) in inner {
            graph.tasks[Int(number)].inside = workflow.graph(
                path: path + [Int(number) + 1], depth: depth + 1, find)
        }
        return graph
    }

    /// Returns the current state of the workflow, in the form of ``run()``'s report.
    ///
    /// The report contains the attempts if ``WorkflowOptions/keptAttempts`` is positive. Costs O(V + E).
    public func report() -> RunReport {
        let now = core.engineClock.now()
        let (report, maps) = core.look { ($0.report(at: now), $0.maps) }
        return report.including(elementsOf: maps)
    }
}

extension WorkflowMachine {
    /// Returns the tasks in their current state, without their inner workflows.
    func picture(_ path: [Int]) -> WorkflowGraph {
        var graph = WorkflowGraph(name: names.workflow)
        switch status {
        case .idle: break
        case .running: graph.isRunning = true
        case .settled(let ending): graph.ending = ending
        }
        graph.keptAttempts = options.keptAttempts
        // Edges and groups name tasks by their places, so forgotten tasks keep theirs.
        graph.tasks = (0..<tasks.count).map { pictured($0, path) }
        for (number, name) in groups.names.enumerated() {
            // Numbers of tasks are their indices in `graph.tasks`.
            let members = groups[name].map(Int.init)
            graph.groups.append(WorkflowGraph.Group(name: name, tasks: members))
            for index in members { graph.tasks[index].group = number }
        }
        graph.edges = (0..<self.graph.edgeCount).map { place in
            let edge = self.graph.edge(at: place)
            return WorkflowGraph.Edge(
                prerequisite: Int(edge.prerequisite), dependent: Int(edge.dependent),
                allowsFailure: edge.kind == .allowsFailure, guards: edge.kind == .guards)
        }
        for (dependent, keys) in rare.keys {
            for place in self.graph.places(of: dependent) {
                let prerequisite = self.graph.edge(at: place).prerequisite
                // A dictionary would call the keys' `hash` and `==`, which are user code, under the lock.
                graph.edges[place].keysAsGiven = keys.compactMap { $0.value == prerequisite ? $0.key : nil }
            }
        }
        return graph
    }

    private func pictured(_ number: Int32, _ path: [Int]) -> WorkflowGraph.Task {
        let node = tasks[number]
        var task = WorkflowGraph.Task(
            id: TaskID(around: path, position: Int(number) + 1), name: name(number))
        task.state = node.state
        task.attempt = Int(node.attempt.number)
        task.isBlocked = node.state == .pending && node.blockage != .none
        task.isCleanup = node.traits.contains(.cleanup)
        task.isCondition = node.traits.contains(.condition) && !rare.delays.contains(number)
        task.error = tasks.failure(number)?.error
        // Other states keep no time of their end.
        if node.state == .failed || node.state == .finished {
            task.finishDate = eventLog.date(tasks.endedAt(number))
        }
        task.prerequisites = graph.places(of: number)
        let (entries, last) = eventLog.attempts(of: number)
        let name = RunReport.TaskName(id: task.id, name: task.name)
        task.attempts = entries.map { record($0, name, until: last) }
        return task
    }

    private func record(
        _ entry: AttemptLog.Entry, _ name: RunReport.TaskName, until last: Instant
    ) -> AttemptRecord {
        let hasFailed = entry.ending == .failed || entry.ending == .retried
        return AttemptRecord(
            task: name, number: entry.number, begin: eventLog.date(entry.begin),
            end: entry.end.map { eventLog.date($0) }, ending: entry.ending,
            error: hasFailed ? entry.failure : nil, waits: entry.waits,
            beginTime: entry.begin.nanoseconds, endTime: (entry.end ?? max(entry.begin, last)).nanoseconds)
    }

    fileprivate func objects() -> [(Int32, WorkflowTask)] {
        tasks.all.compactMap { number in
            if case .object(let task) = tasks.work(number) { (number, task) } else { nil }
        }
    }
}
