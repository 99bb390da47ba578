import SteplineWorkflow

/// The appearance of a task's state: always a word and a shape in addition to a colour.
enum TaskLook: String, CaseIterable {
    case pending, blocked, ready, executing, finished, failed, cancelled

    init(_ task: WorkflowGraph.Task) {
        switch task.state {
        case .pending: self = task.isBlocked ? .blocked : .pending
        case .ready: self = .ready
        case .executing: self = .executing
        case .cancelled: self = .cancelled
        case .finished: self = .finished
        case .failed: self = .failed
        }
    }

    init(_ ending: AttemptRecord.Ending) {
        switch ending {
        case .executing: self = .executing
        case .finished: self = .finished
        case .failed, .retried: self = .failed
        case .cancelled, .reset: self = .cancelled
        }
    }

    var word: String {
        switch self {
        case .pending: "Pending"
        case .blocked: "Blocked"
        case .ready: "Ready"
        case .executing: "Executing"
        case .finished: "Finished"
        case .failed: "Failed"
        case .cancelled: "Cancelled"
        }
    }
}

extension WorkflowGraph.Task {
    /// A line with the task's state, attempts and duration.
    var summary: String {
        var words = [TaskLook(self).word]
        if attempt > 1 { words.append("attempt \(attempt)") }
        if let last = attempts.last, last.number == attempt, state == .finished || state == .failed {
            words.append(TimeText.of(last.endTime - last.beginTime))
        }
        return words.joined(separator: " · ")
    }
}

extension WorkflowGraph {
    /// The number of tasks, with those of inner workflows.
    var totalCount: Int { tasks.reduce(tasks.count) { $0 + ($1.inside?.totalCount ?? 0) } }

    /// The state of the workflow in a few words.
    var statusText: String {
        switch ending {
        case nil: isRunning ? "running" : "not started"
        case .finished: "finished"
        case .failed: "failed"
        case .cancelled(let reason): "cancelled: \(reason)"
        case .deadlineExceeded: "cancelled: its deadline has passed"
        case .incomplete: "not all tasks were started"
        }
    }

    /// The measured schedule; nil if no attempt was kept.
    var measuredSchedule: WorkflowSchedule? {
        guard tasks.contains(where: { !$0.attempts.isEmpty }) else { return nil }
        return WorkflowSchedule(self, measuredSpans)
    }
}

extension TaskID {
    /// The positions joined with underscores, usable as an identifier in all formats.
    var identifier: String { "t" + path.map(String.init).joined(separator: "_") }
}
