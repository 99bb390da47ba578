public import SteplineWorkflow

/// When the tasks of a workflow begin and end, which of them determine its length, and what the others can spare.
///
/// Made of the durations that tasks are expected to take, ahead of a run, or of those that a run has measured
/// (``SteplineWorkflow/RunReport/schedule``). Times are counted from the begin of the first task.
public struct WorkflowSchedule: Sendable {
    /// From the begin of the first task to the end of the last.
    public let length: Duration
    /// The chain of tasks that determines the length, in the order in which they run.
    public let criticalPath: [RunReport.TaskName]

    let tasks: [RunReport.TaskName]
    let spans: [TaskSpan?]
    let slacks: [Int64?]
    /// The tasks of the critical path, by their place.
    let path: [Int]

    /// Plans a workflow whose tasks take these times, with a thread for each that can run.
    ///
    ///     WorkflowSchedule(workflow) { task in task.name == "download" ? .seconds(30) : .seconds(1) }
    ///
    /// Costs O(V + E). Runs nothing, and doesn't matter how far the workflow is.
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

    /// Plans a workflow by the names of its tasks; those that aren't named take `otherwise`.
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

    /// When a task begins, or has begun; nil for one that hasn't, or isn't in the workflow.
    public func begin(of task: TaskID) -> Duration? {
        place(task).flatMap { spans[$0]?.begin }.map(Self.time)
    }

    /// When a task ends, or has ended.
    public func end(of task: TaskID) -> Duration? { place(task).flatMap { spans[$0]?.end }.map(Self.time) }

    /// How much later a task could end without making the whole longer; zero on the critical path.
    ///
    /// Nil for a task that hasn't ended.
    public func slack(of task: TaskID) -> Duration? { place(task).flatMap { slacks[$0] }.map(Self.time) }

    /// How much later a task could end without making the whole longer; zero on the critical path.
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
    /// Whole nanoseconds, of a century at most.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        // Hardly three of them fit together: sums are made with `plus`.
        let most: Int64 = 100 * 365 * 86_400
        return min(max(seconds, -most), most) * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
