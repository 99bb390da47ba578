import SteplineWorkflow

/// The time from when a task could have started to its end, in nanoseconds.
package struct TaskSpan: Sendable {
    package var begin: Int64
    package var end: Int64

    package init(begin: Int64, end: Int64) {
        self.begin = begin
        self.end = end
    }

    /// Returns the span relative to another time.
    func since(_ zero: Int64) -> TaskSpan { TaskSpan(begin: begin.minus(zero), end: end.minus(zero)) }
}

/// Finds the critical path of a workflow, and the slack of all other tasks.
///
/// A task's span is the time from the end of its last prerequisite to its own end, with its waits. Slack is computed
/// backwards from the end: a task may end as late as its dependents allow.
struct PathAnalysis {
    private(set) var begin: Int64 = 0
    private(set) var end: Int64 = 0
    private(set) var slacks: [Int64?]
    private(set) var path: [Int] = []

    init(_ graph: WorkflowGraph, _ spans: [TaskSpan?]) {
        slacks = Array(repeating: nil, count: spans.count)
        guard let last = Self.last(spans) else { return }
        begin = spans.lazy.compactMap { $0?.begin }.min() ?? 0
        end = spans[last]?.end ?? begin

        var latest = [Int64](repeating: end, count: spans.count)
        for index in graph.tasks.indices.reversed() {
            guard let span = spans[index] else { continue }
            slacks[index] = max(0, latest[index].minus(span.end))
            guard let before = Self.lastPrerequisite(of: index, graph, spans),
                let readyAt = spans[before]?.end
            else { continue }
            let mustBegin = latest[index].minus(span.end.minus(readyAt))
            for edge in graph.edges[graph.tasks[index].prerequisites] {
                guard let upstream = spans[edge.prerequisite], upstream.end <= span.end else { continue }
                latest[edge.prerequisite] = min(latest[edge.prerequisite], mustBegin)
            }
        }
        path = [last]
        while let first = path.last, let before = Self.lastPrerequisite(of: first, graph, spans) {
            path.append(before)
        }
        path.reverse()
    }

    /// Returns the task that ended last; of equal ones the first added.
    private static func last(_ spans: [TaskSpan?]) -> Int? {
        var last: (index: Int, end: Int64)?
        for (index, span) in spans.enumerated() {
            guard let span, span.end > last?.end ?? .min else { continue }
            last = (index, span.end)
        }
        return last?.index
    }

    /// Returns the prerequisite that ended last and delayed the task.
    ///
    /// A prerequisite that ended after the task itself was run again, and is ignored.
    private static func lastPrerequisite(
        of index: Int, _ graph: WorkflowGraph, _ spans: [TaskSpan?]
    ) -> Int? {
        guard let own = spans[index] else { return nil }
        var last: (index: Int, end: Int64)?
        for edge in graph.edges[graph.tasks[index].prerequisites] {
            guard let span = spans[edge.prerequisite], span.end <= own.end, span.end > last?.end ?? .min
            else { continue }
            last = (edge.prerequisite, span.end)
        }
        return last?.index
    }
}

extension WorkflowGraph {
    /// The measured spans of the tasks that have ended, from when each could first start.
    var measuredSpans: [TaskSpan?] {
        tasks.map { task in
            guard task.state == .finished || task.state == .failed || task.state == .cancelled,
                let last = task.attempts.last, last.end != nil
            else { return nil }
            let waited = last.waits.reduce(Int64(0)) { $0.plus($1.duration.nanoseconds) }
            return TaskSpan(begin: last.beginTime.minus(waited), end: last.endTime)
        }
    }
}
