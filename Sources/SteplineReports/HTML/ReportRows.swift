import SteplineWorkflow

/// A task of a report, wherever it is: in the workflow, or in one inside it.
struct ReportRow {
    let task: WorkflowGraph.Task
    /// Its name, behind those of the tasks around it.
    let name: String
    let slack: Int64?
    let isCritical: Bool
    /// What keeps it from running, if it is blocked.
    let causes: [String]

    var look: TaskLook { TaskLook(task) }
    var took: Int64 { task.attempts.reduce(0) { $0 + $1.endTime - $1.beginTime } }
    var waited: Int64 {
        task.attempts.reduce(0) { sum, attempt in
            sum + attempt.waits.reduce(0) { $0 + $1.duration.nanoseconds }
        }
    }

    /// All tasks, each followed by those inside it.
    static func all(_ graph: WorkflowGraph, prefix: String = "") -> [ReportRow] {
        let schedule = graph.measuredSchedule
        let critical = Set(schedule?.path ?? [])
        var rows: [ReportRow] = []
        for (index, task) in graph.tasks.enumerated() {
            let name = prefix + task.name
            rows.append(
                ReportRow(
                    task: task, name: name, slack: schedule?.slacks[index],
                    isCritical: critical.contains(index) && prefix.isEmpty,
                    causes: task.isBlocked ? causes(of: task, graph) : []
                )
            )
            if let inside = task.inside { rows += all(inside, prefix: name + " › ") }
        }
        return rows
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
