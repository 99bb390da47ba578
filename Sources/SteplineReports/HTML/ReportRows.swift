import SteplineWorkflow

/// A task of a report, from the workflow itself or from one inside it.
struct ReportRow {
    let task: WorkflowGraph.Task
    /// The name of the task, prefixed by those of the enclosing tasks.
    let name: String
    /// The index of the enclosing task's row.
    let parent: Int?
    let slack: Int64?
    let isCritical: Bool
    /// The causes of the blockage, if the task is blocked.
    let causes: [String]
    /// The indexes of the prerequisites' rows.
    let edges: [Int]

    var look: TaskLook { TaskLook(task) }
    var took: Int64 { task.attempts.reduce(0) { $0 + $1.endTime - $1.beginTime } }

    /// Returns all tasks, each followed by the tasks inside it.
    static func all(_ graph: WorkflowGraph) -> [ReportRow] {
        var rows: [ReportRow] = []
        rows.reserveCapacity(graph.totalCount)
        add(graph, inside: nil, prefix: "", to: &rows)
        return rows
    }

    private static func add(
        _ graph: WorkflowGraph, inside parent: Int?, prefix: String, to rows: inout [ReportRow]
    ) {
        let schedule = graph.measuredSchedule
        let critical = Set(schedule?.path ?? [])
        var places: [Int] = []
        for (index, task) in graph.tasks.enumerated() {
            let name = prefix + task.name
            let edges = graph.edges[task.prerequisites].map(\.prerequisite).filter { $0 < index }
            let place = rows.count
            places.append(place)
            rows.append(
                ReportRow(
                    task: task, name: name, parent: parent,
                    slack: schedule?.slacks[index],
                    isCritical: critical.contains(index) && parent == nil,
                    causes: task.isBlocked ? causes(of: task, graph) : [],
                    edges: edges.map { places[$0] }
                )
            )
            if let inside = task.inside { add(inside, inside: place, prefix: name + " › ", to: &rows) }
        }
    }

    private static func causes(of task: WorkflowGraph.Task, _ graph: WorkflowGraph) -> [String] {
        graph.edges[task.prerequisites].compactMap { edge in
            let upstream = graph.tasks[edge.prerequisite]
            let look = TaskLook(upstream)
            let isAtFault = look == .failed || look == .cancelled || look == .blocked
            return isAtFault ? "\(upstream.name) (\(look.word))" : nil
        }
    }
}
