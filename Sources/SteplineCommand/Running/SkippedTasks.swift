import SteplineSupport
import SteplineWorkflow

/// The tasks of a run that were skipped, and why.
final class SkippedTasks: Sendable {
    private let reasons = Locked<[String: String]>([:])

    /// By their names.
    var all: [String: String] { reasons.withLock { $0 } }

    func add(_ task: String, _ reason: String) { reasons.withLock { $0[task] = reason } }

    /// An event in the words of the log: the end of a task that was skipped is told as such.
    func entry(_ event: WorkflowEvent) -> EventLog.Entry? {
        guard case .finished = event.kind, let reason = reasons.withLock({ $0[event.name] }) else {
            return EventLog.entry(event)
        }
        return EventLog.skipped(event.name, reason, at: event.time)
    }
}
