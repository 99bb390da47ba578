import Foundation
import SteplineJSON
import SteplinePipeline
import SteplineRuns
import SteplineSupport
import SteplineWorkflow

/// Formats events as lines of text or JSON.
///
/// Progress events are left out, since they would be most of the log.
struct EventLog {
    /// An event in the terms of the log.
    struct Entry {
        var time: Date
        let task: String?
        let event: String
        var attempt: Int?
        var facts: [(key: String, value: JSON)] = []

        /// Returns the entry with secrets removed.
        func hiding(_ secrets: SecretRedactor) -> Entry {
            guard !secrets.isEmpty else { return self }
            var entry = self
            entry.facts = facts.map { key, value in
                (key, value.string.flatMap { secrets.redacted($0) }.map { JSON($0) } ?? value)
            }
            return entry
        }
    }

    static func entry(_ event: WorkflowEvent) -> Entry? {
        let task = event.task == nil ? nil : event.name
        func entry(_ name: String, _ facts: [(key: String, value: JSON)] = []) -> Entry {
            let attempt = event.attempt > 0 ? event.attempt : nil
            return Entry(time: event.time, task: task, event: name, attempt: attempt, facts: facts)
        }
        func words(_ error: String) -> JSON { JSON(ErrorText.withoutName(event.name, error)) }
        return switch event.kind {
        case .started: entry("started")
        case .attemptFailed(let error, let wait):
            entry("attemptFailed", [("error", words(error)), ("wait", seconds(wait.seconds))])
        case .finished: entry("finished")
        case .failed(let error): entry("failed", [("error", words(error))])
        case .cancelled(let reason): entry("cancelled", [("reason", JSON(reason.description))])
        case .blocked(let tasks): entry("blocked", [("by", JSON(tasks.joined(separator: ", ")))])
        case .stalled(let time): entry("stalled", [("seconds", seconds(time.seconds))])
        case .willStart: entry("starting")
        case .willCancel: entry("cancelling")
        case .settled(let outcome): entry("settled", [("outcome", JSON(outcome.word))])
        default: nil
        }
    }

    static func entry(_ event: PipelineEvent, of task: String) -> Entry? {
        func entry(
            _ name: String, _ step: StepPosition, _ attempt: Int, _ facts: [(key: String, value: JSON)]
        )
            -> Entry
        {
            let facts = [(key: "step", value: JSON(step.name))] + facts
            return Entry(time: event.time, task: task, event: name, attempt: attempt, facts: facts)
        }
        return switch event.kind {
        case .stepStarted(let step, let attempt): entry("stepStarted", step, attempt, [])
        case .retrying(let step, let attempt, let error, let wait):
            entry("retrying", step, attempt, [("error", JSON(error)), ("wait", seconds(wait.seconds))])
        case .stalled(let step, let attempt, let time):
            entry("stepStalled", step, attempt, [("seconds", seconds(time.seconds))])
        case .stepEnded(let step, let attempt, let outcome, let time):
            entry("stepEnded", step, attempt, outcome.facts + [("seconds", seconds(time.seconds))])
        default: nil
        }
    }

    static func entry(_ opened: OpenedRun) -> Entry {
        func list(_ names: [String]) -> JSON { (try? JSON(elements: names.map { JSON($0) })) ?? .null }
        return Entry(
            time: Date(), task: nil, event: "opened",
            facts: [
                ("key", JSON(opened.id.key)), ("kept", list(opened.kept)), ("again", list(opened.again)),
                ("gone", list(opened.gone)),
            ])
    }

    static func skipped(_ task: String, _ reason: String, at time: Date) -> Entry {
        Entry(time: time, task: task, event: "skipped", facts: [("reason", JSON(reason))])
    }

    /// Returns the summary of a run.
    static func summary(_ board: RunBoard, at now: Date) -> Entry {
        Entry(
            time: now, task: nil, event: "summary",
            facts: [
                ("tasks", JSON(board.total ?? 0)), ("finished", JSON(board.finished)),
                ("failed", JSON(board.failed)), ("allowed", JSON(board.allowed)),
                ("cancelled", JSON(board.cancelled)),
                ("skipped", JSON(board.skipped)), ("notRun", JSON(board.notRun)),
                ("upToDate", JSON(board.upToDate)),
                ("bytes", JSON(board.bytes)), ("seconds", seconds(now.timeIntervalSince(board.began))),
            ])
    }

    /// Returns seconds rounded to microseconds.
    private static func seconds(_ seconds: Double) -> JSON { JSON((seconds * 1e6).rounded() / 1e6) }

    /// Returns the entry as a line.
    static func line(_ entry: Entry, as format: LogFormat) -> String {
        let time = entry.time.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        guard format == .json else {
            var text = "\(time) \(entry.task ?? "run") \(entry.event)"
            if let attempt = entry.attempt, attempt > 1 { text += " (attempt \(attempt))" }
            for fact in entry.facts { text += " \(fact.key)=\(fact.value)" }
            return Session.oneLine(text)
        }
        var members: [(key: String, value: JSON)] = [("time", JSON(time)), ("event", JSON(entry.event))]
        if let task = entry.task { members.append(("task", JSON(task))) }
        if let attempt = entry.attempt { members.append(("attempt", JSON(attempt))) }
        members += entry.facts
        return (try? JSON(members: members))?.description ?? "{}"
    }
}

extension PipelineEvent.StepOutcome {
    fileprivate var facts: [(key: String, value: JSON)] {
        switch self {
        case .succeeded: [("outcome", "succeeded")]
        case .failed(let error): [("outcome", "failed"), ("error", JSON(error))]
        case .cancelled: [("outcome", "cancelled")]
        }
    }
}

extension WorkflowEvent.Kind {
    /// Whether the event ends a task.
    var isEnd: Bool {
        switch self {
        case .finished, .failed, .cancelled: true
        default: false
        }
    }
}

extension RunReport.Ending {
    /// The outcome in one word.
    fileprivate var word: String {
        switch self {
        case .finished: "finished"
        case .failed: "failed"
        case .cancelled: "cancelled"
        case .deadlineExceeded: "deadlineExceeded"
        case .incomplete: "incomplete"
        }
    }
}

extension Duration {
    /// The duration in seconds.
    var seconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) * 1e-18
    }
}

extension PipelineEvent {
    /// The step of the event, if any.
    var step: StepPosition? {
        switch kind {
        case .stepStarted(let step, _), .progressed(let step, _, _, _), .retrying(let step, _, _, _),
            .stalled(let step, _, _), .stepEnded(let step, _, _, _):
            step
        default: nil
        }
    }
}
