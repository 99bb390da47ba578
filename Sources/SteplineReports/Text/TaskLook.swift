import SteplineWorkflow

/// How a task's state is shown: always by a word and a shape as well as by a colour.
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
    /// One line about the task: its state, and how often and how long it has run.
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
    /// The tasks, and those inside them.
    var totalCount: Int { tasks.reduce(tasks.count) { $0 + ($1.inside?.totalCount ?? 0) } }

    /// How it goes, or went, in a word or two.
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

    /// The schedule that was measured; nil if no attempt was kept.
    var measuredSchedule: WorkflowSchedule? {
        guard tasks.contains(where: { !$0.attempts.isEmpty }) else { return nil }
        return WorkflowSchedule(self, measuredSpans)
    }
}

extension TaskID {
    /// The positions with underscores between them: part of an identifier in any format.
    var identifier: String { "t" + path.map(String.init).joined(separator: "_") }
}
