public import SteplineWorkflow

/// The times when a workflow's tasks begin and end, with the critical path and the slack of each task.
///
/// A schedule is made from estimated durations before a run, or from the durations that a run has measured
/// (``SteplineWorkflow/RunReport/schedule``). Times are relative to the start of the first task.
public struct WorkflowSchedule: Sendable {
    /// The time from the start of the first task to the end of the last.
    public let length: Duration
    /// The chain of tasks that determines the length, in order.
    public let criticalPath: [RunReport.TaskName]

    let tasks: [RunReport.TaskName]
    let spans: [TaskSpan?]
    let slacks: [Int64?]
    /// The indexes of the tasks on the critical path.
    let path: [Int]

    /// Plans a workflow with these durations, assuming a thread for each task that can run.
    ///
    ///     WorkflowSchedule(workflow) { task in task.name == "download" ? .seconds(30) : .seconds(1) }
    ///
    /// Runs no task, and ignores the state of the workflow. Costs O(V + E).
    public init(_ workflow: Workflow, durations: (RunReport.TaskName) -> Duration) {
        let graph = workflow.graph()
        var spans: [TaskSpan?] = []
        for task in graph.tasks {
            let begin = graph.edges[task.prerequisites].compactMap { spans[$0.prerequisite]?.end }.max() ?? 0
            let duration = max(.zero, durations(RunReport.TaskName(id: task.id, name: task.name)))
            spans.append(TaskSpan(begin: begin, end: begin.plus(duration.nanoseconds)))
        }
        self.init(graph, spans)
    }

    /// Plans a workflow with durations by task name; other tasks take `otherwise`.
    public init(_ workflow: Workflow, durations: [String: Duration], otherwise: Duration = .zero) {
        self.init(workflow) { durations[$0.name] ?? otherwise }
    }

    init(_ graph: WorkflowGraph, _ spans: [TaskSpan?]) {
        let analysis = PathAnalysis(graph, spans)
        let tasks = graph.tasks.map { RunReport.TaskName(id: $0.id, name: $0.name) }
        self.tasks = tasks
        self.spans = spans.map { $0.map { $0.since(analysis.begin) } }
        slacks = analysis.slacks
        path = analysis.path
        length = .nanoseconds(analysis.end.minus(analysis.begin))
        criticalPath = analysis.path.map { tasks[$0] }
    }

    /// Returns when a task begins or began; nil if unknown or not in the workflow.
    public func begin(of task: TaskID) -> Duration? {
        place(task).flatMap { spans[$0]?.begin }.map(Self.time)
    }

    /// Returns when a task ends or ended; nil if unknown or not in the workflow.
    public func end(of task: TaskID) -> Duration? { place(task).flatMap { spans[$0]?.end }.map(Self.time) }

    /// Returns how much later a task could end without making the whole longer; zero on the critical path.
    ///
    /// Nil for a task that hasn't ended.
    public func slack(of task: TaskID) -> Duration? { place(task).flatMap { slacks[$0] }.map(Self.time) }

    /// Returns how much later a task could end without making the whole longer; zero on the critical path.
    public func slack(of task: WorkflowTask) -> Duration? { task.taskID.flatMap { slack(of: $0) } }

    private static func time(_ nanoseconds: Int64) -> Duration { .nanoseconds(nanoseconds) }

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
