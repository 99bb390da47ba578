import SteplineWorkflow

/// From when a task could have begun to its end, in nanoseconds.
struct TaskSpan: Sendable {
    var begin: Int64
    var end: Int64

    /// The same, counted from another time.
    func since(_ zero: Int64) -> TaskSpan { TaskSpan(begin: begin.minus(zero), end: end.minus(zero)) }
}

/// Finds the chain of tasks that determines how long a workflow takes, and what the others can spare.
///
/// A task takes the time from the end of its last prerequisite to its own end, waits included. Going back from
/// the end of the whole, each must have ended by the latest time that its dependents allow.
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

    /// Which task ended last; of equal ones the first added.
    private static func last(_ spans: [TaskSpan?]) -> Int? {
        var last: (index: Int, end: Int64)?
        for (index, span) in spans.enumerated() {
            guard let span, span.end > last?.end ?? .min else { continue }
            last = (index, span.end)
        }
        return last?.index
    }

    /// The prerequisite that a task waited for until the last; one that ended after the task itself was run anew.
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
    /// What the kept attempts tell of each task that has ended, from when it could first begin.
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
