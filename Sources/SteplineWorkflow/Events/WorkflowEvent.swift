public import SteplineSupport

public import struct Foundation.Date

/// An event of a workflow.
///
/// The state that an event reports is visible in the task before the event arrives.
public struct WorkflowEvent: Sendable, Codable, Hashable {
    /// The number of the event in its workflow, from 1.
    ///
    /// Events without a reader are counted too, except those of elements of a map over a result.
    public let number: Int
    /// The time of the event, by the workflow's clock.
    ///
    /// An event of a map's element may follow a slightly later one of another task.
    public let time: Date
    /// The task's position, of an element of a map over a result after that of the map; nil for an event of the
    /// workflow.
    public let task: TaskID?
    /// The name of the task or the workflow.
    public let name: String
    /// The number of the task's attempt; 0 if there was none.
    public let attempt: Int
    /// The kind of the event.
    public let kind: Kind

    /// The kinds of events.
    public indirect enum Kind: Sendable, Codable, Hashable {
        /// A task was added.
        case added
        /// A task is in state Pending and waits for prerequisites.
        case pending
        /// All prerequisites of the task are satisfied.
        case ready
        /// An attempt has begun.
        case started
        /// A body reported its progress, from 0 to 1.
        case progress(Double, String?)
        /// A part of the task has ended, such as a step of its pipeline.
        case step(String)
        /// An attempt failed; another one follows after the wait.
        case attemptFailed(String, wait: Duration)
        /// The task has its result.
        case finished
        /// The task has failed, and no attempt follows.
        case failed(String)
        /// The task was cancelled.
        case cancelled(CancellationReason)
        /// The task was reset to its initial state.
        case reset
        /// The task was returned to its initial state by a retry.
        case retried
        /// The task can't run because of the named tasks.
        case blocked(by: [String])
        /// The task is no longer blocked.
        case unblocked
        /// An attempt was ended that isn't Executing any more; the call was ignored.
        case endIgnored
        /// No object can end the attempt any more; only the task itself can.
        case released
        /// A stopped body hasn't ended within its grace period and was given up.
        case abandoned
        /// A body has run for longer than the watchdog's interval.
        case stalled(Duration)
        /// A condition was fulfilled.
        case fulfilled
        /// The workflow is about to start.
        case willStart
        /// The workflow is about to be cancelled.
        case willCancel
        /// The workflow is about to be reset.
        case willReset
        /// The workflow is about to be retried.
        case willRetry
        /// Every task without dependents is Finished.
        case didFinish
        /// No task continues by itself any more.
        case settled(RunReport.Ending)
    }
}

extension WorkflowEvent: CustomStringConvertible {
    /// The event as a single line: `17 upload (attempt 2) failed: timed out`.
    public var description: String { "\(number) \(text)" }

    /// The description without the number.
    var text: String {
        let tries = attempt > 1 ? " (attempt \(attempt))" : ""
        return "\(name)\(tries) \(kind.text)"
    }
}

extension WorkflowEvent.Kind {
    fileprivate var text: String {
        switch self {
        case .progress(let fraction, let text):
            // Rounded down, so 100 % means complete.
            "is \(Int(fraction * 100)) % done\(text.map { ": \($0)" } ?? "")"
        case .step(let name): "has done \(name)"
        case .attemptFailed(let error, let wait): "failed: \(error); tries again in \(wait)"
        case .failed(let error): "failed: \(error)"
        case .cancelled(let reason): "was cancelled: \(reason)"
        case .blocked(let tasks): "is blocked by \(tasks.joined(separator: ", "))"
        case .stalled(let time): "has not ended for \(time)"
        case .settled(let ending): "has settled: \(ending)"
        case .endIgnored: "was ended late, which is ignored"
        case .released: "was released without an end"
        // The other cases have no values, so their names are the text.
        default: "\(self)"
        }
    }
}
