package import SteplineWorkflow

/// The times when a workflow's tasks began and ended, with the critical path and the slack of each task.
///
/// Times are relative to the start of the first task.
package struct WorkflowSchedule: Sendable {
    /// The time from the start of the first task to the end of the last.
    package let length: Duration
    /// The chain of tasks that determined the length, in order.
    package let criticalPath: [RunReport.TaskName]

    let tasks: [RunReport.TaskName]
    package let spans: [TaskSpan?]
    let slacks: [Int64?]
    /// The indexes of the tasks on the critical path.
    let path: [Int]

    package init(_ graph: WorkflowGraph, _ spans: [TaskSpan?]) {
        let analysis = PathAnalysis(graph, spans)
        let tasks = graph.tasks.map { RunReport.TaskName(id: $0.id, name: $0.name) }
        self.tasks = tasks
        self.spans = spans.map { $0.map { $0.since(analysis.begin) } }
        slacks = analysis.slacks
        path = analysis.path
        length = .nanoseconds(analysis.end.minus(analysis.begin))
        criticalPath = analysis.path.map { tasks[$0] }
    }

    /// Returns how much later a task could have ended without making the whole longer; zero on the critical path.
    ///
    /// Nil for a task that hasn't ended.
    package func slack(of task: TaskID) -> Duration? {
        place(task).flatMap { slacks[$0] }.map { .nanoseconds($0) }
    }

    private func place(_ task: TaskID) -> Int? {
        guard let place = task.path.last, tasks.indices.contains(place - 1), tasks[place - 1].id == task
        else {
            return nil
        }
        return place - 1
    }
}

extension Duration {
    /// The duration in whole nanoseconds, clamped to a century.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        // Only two such durations fit into an `Int64`, so sums must use `plus`.
        let most: Int64 = 100 * 365 * 86_400
        return min(max(seconds, -most), most) * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
