import SteplineSupport

// The texts of a workflow's states and reports, for people. Programs read the properties.

extension Workflow.Status: CustomStringConvertible {
    /// The state as text, such as `running` or `settled: finished`.
    public var description: String {
        switch self {
        case .idle: "idle"
        case .running: "running"
        case .settled(let ending): "settled: \(ending)"
        }
    }
}

extension RunReport.Ending: CustomStringConvertible {
    /// The end as text, with the reason of a cancellation.
    public var description: String {
        switch self {
        case .finished: "finished"
        case .failed: "failed"
        case .cancelled(let reason): "cancelled: \(reason)"
        case .deadlineExceeded: "deadline exceeded"
        case .incomplete: "incomplete"
        }
    }
}

extension RunReport: CustomStringConvertible {
    /// The end, the failures, and the tasks that weren't run, each in a line.
    public var description: String {
        var lines = ["\(ending)"] + failures.map { "\($0)" }
        if !blocked.isEmpty { lines.append("blocked: \(Self.list(blocked))") }
        if !notStarted.isEmpty { lines.append("not started: \(Self.list(notStarted))") }
        return lines.joined(separator: "\n")
    }

    private static func list(_ tasks: [TaskName]) -> String {
        let shown = tasks.prefix(10).map(\.name).joined(separator: ", ")
        return tasks.count > 10 ? "\(shown) and \(tasks.count - 10) more" : shown
    }
}

extension WorkflowTask.Snapshot: CustomStringConvertible {
    /// The state with the attempt and the error or reason, without the result, which may be long or secret.
    public var description: String {
        let tries = attempt > 1 ? " (attempt \(attempt))" : ""
        let cause = error.map { ": \(ErrorText.line($0))" } ?? cancellation.map { ": \($0)" } ?? ""
        return "\(state)\(tries)\(cause)"
    }
}

extension WorkflowTask.Change: CustomStringConvertible {
    /// Both states: `Executing -> Failed (attempt 2): timed out`.
    public var description: String { "\(oldState) -> \(snapshot)" }
}

extension WorkflowProgress: CustomStringConvertible {
    /// The counts, without those that are 0: `40 % done: 4 of 10 finished, 2 executing, 1 failed`.
    public var description: String {
        // Rounded down, so 100 % means complete.
        var text = "\(Int(fraction * 100)) % done: \(finished) of \(total) finished"
        for (count, word) in [(executing, "executing"), (failed, "failed"), (cancelled, "cancelled")]
        where count > 0 {
            text += ", \(count) \(word)"
        }
        return text
    }
}

extension AttemptRecord: CustomStringConvertible {
    /// The task, the attempt and its end: `upload (attempt 2): Finished`.
    public var description: String { "\(task)\(number > 1 ? " (attempt \(number))" : ""): \(ending)" }
}

extension AttemptRecord.Wait: CustomStringConvertible {
    /// The duration and the cause: `0.5 seconds for a thread`.
    public var description: String { "\(duration) for \(cause)" }
}

extension TaskRef: CustomStringConvertible {
    /// The name of the task and its state: `load (Finished)`.
    public var description: String {
        core.look { "\($0.name(index)) (\($0.tasks[index].state))" }
    }
}
