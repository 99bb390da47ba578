import SteplineSupport
import SteplineWorkflow

/// The skipped tasks of a run with the reasons.
final class SkippedTasks: Sendable {
    private let reasons = Locked<[String: String]>([:])

    /// The reasons by task name.
    var all: [String: String] { reasons.withLock { $0 } }

    func add(_ task: String, _ reason: String) { reasons.withLock { $0[task] = reason } }

    /// Converts an event to a log entry; the end of a skipped task becomes a `skipped` entry.
    func entry(_ event: WorkflowEvent) -> EventLog.Entry? {
        guard case .finished = event.kind, let reason = reasons.withLock({ $0[event.name] }) else {
            return EventLog.entry(event)
        }
        return EventLog.skipped(event.name, reason, at: event.time)
    }
}
