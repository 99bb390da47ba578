import Foundation
import SteplineSupport
package import SteplineWorkflow

extension StoredRuns {
    /// Returns a stored run as a graph for reports; `shape` provides the dependencies.
    ///
    /// `shape` must be a new workflow. Stored steps without a task in it, such as map elements, have no dependencies.
    package func graph(_ key: String, shape: Workflow?) throws -> WorkflowGraph {
        let run = try run(key)
        var records: [String: StepRecord] = [:]
        var names: [String] = []
        try store.forEachStep(of: run.id) { step in
            records[step.name] = step
            names.append(step.name)
        }
        // Without a shape all steps are tasks without dependencies.
        let workflow = shape ?? Workflow(run.id.workflow)
        let known = Set(RunGraph(workflow).names)
        for name in names where !known.contains(name) { try workflow.add(name) {} }
        let history = Dictionary(grouping: try store.history(of: run.id), by: \.name)
        let drawing = StoredDrawing(run: run, records: records, history: history)
        var graph = workflow.graph()
        drawing.fill(&graph, "")
        // A nonzero value marks the graph as having all attempts.
        graph.keptAttempts = max(graph.tasks.map(\.attempts.count).max() ?? 0, 1)
        graph.isRunning = run.state == .running
        graph.ending = drawing.ending
        return graph
    }
}

/// Fills a workflow's graph with the stored states of a run.
private struct StoredDrawing {
    let run: RunRecord
    let records: [String: StepRecord]
    let history: [String: [StepRecord]]

    var ending: RunReport.Ending? {
        switch run.state {
        case .waiting, .running, .interrupted: nil
        case .finished: .finished
        case .failed: .failed
        case .incomplete: .incomplete
        case .cancelled: .cancelled(CancellationReason(.requested, reason))
        }
    }

    private var reason: String { if case .cancelled(let why)? = run.ending { why } else { "" } }

    func fill(_ graph: inout WorkflowGraph, _ prefix: String) {
        for place in graph.tasks.indices {
            let name = prefix + graph.tasks[place].name
            fill(&graph.tasks[place], name)
            if graph.tasks[place].inside != nil { fillInside(&graph.tasks[place], name + "/") }
        }
    }

    private func fillInside(_ task: inout WorkflowGraph.Task, _ prefix: String) {
        guard var inside = task.inside else { return }
        fill(&inside, prefix)
        // A map has no inner tasks here: its elements are separate tasks.
        task.inside = inside.tasks.isEmpty ? nil : inside
    }

    private func fill(_ task: inout WorkflowGraph.Task, _ name: String) {
        guard let record = records[name] else { return }
        let title = RunReport.TaskName(id: task.id, name: task.name)
        task.attempt = record.attempt
        task.attempts = (history[name] ?? []).compactMap { attempt($0, title, isPast: true) }
        if let last = attempt(record, title, isPast: false) { task.attempts.append(last) }
        switch record.state {
        case .pending, .waiting: break
        // A running step without an owner was interrupted: it isn't executing.
        case .running: if run.isOpen { task.state = .executing }
        case .cancelled: task.state = .cancelled
        case .finished:
            task.state = .finished
            task.finishDate = record.ended
        case .failed:
            task.state = .failed
            task.finishDate = record.ended
            task.error = KeptFailure(record.failure)
        }
    }

    private func attempt(
        _ step: StepRecord, _ task: RunReport.TaskName, isPast: Bool
    ) -> AttemptRecord? {
        guard let began = step.began else { return nil }
        let ending: AttemptRecord.Ending =
            switch step.state {
            case .pending: .reset
            // A past attempt that still reads as running was interrupted.
            case .running: isPast || !run.isOpen ? .cancelled : .executing
            case .waiting: .retried
            case .finished: .finished
            case .failed: .failed
            case .cancelled: .cancelled
            }
        let hasFailed = ending == .failed || ending == .retried
        return AttemptRecord(
            task: task, number: step.attempt, begin: began, end: step.ended, ending: ending,
            error: hasFailed ? KeptFailure(step.failure) : nil, waits: [], worker: step.worker,
            beginTime: nanoseconds(began), endTime: nanoseconds(step.ended ?? began))
    }

    private func nanoseconds(_ date: Date) -> Int64 {
        Int64(exactly: (date.timeIntervalSince(run.created) * 1e9).rounded()) ?? 0
    }
}
