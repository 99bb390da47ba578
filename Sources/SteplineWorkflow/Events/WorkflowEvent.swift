public import SteplineSupport

public import struct Foundation.Date

/// Something that happened in a workflow.
///
/// What an event tells can already be read from the task when it is received.
public struct WorkflowEvent: Sendable, Codable, Hashable {
    /// The number of the event in this workflow, from 1; events that nobody listened to are counted too.
    public let number: Int
    /// When it happened, by the workflow's clock.
    public let time: Date
    /// The task's place in the workflow; nil if it is about the workflow.
    public let task: TaskID?
    /// The name of the task, or of the workflow.
    public let name: String
    /// The number of the task's attempt; 0 if there was none.
    public let attempt: Int
    /// What happened.
    public let kind: Kind

    /// The kinds of events.
    public indirect enum Kind: Sendable, Codable, Hashable {
        /// A task was added.
        case added
        /// A task was added, or found, with prerequisites to wait for.
        case pending
        /// Nothing holds the task back any more.
        case ready
        /// An attempt has begun.
        case started
        /// A body has told how far it is, from 0 to 1.
        case progress(Double, String?)
        /// A part of the task has ended, such as a step of its pipeline.
        case step(String)
        /// An attempt failed; another follows after the wait.
        case attemptFailed(String, wait: Duration)
        /// The task has its result.
        case finished
        /// The task has failed for good.
        case failed(String)
        /// The task was cancelled.
        case cancelled(CancellationReason)
        /// The task was put back by a reset.
        case reset
        /// The task was put back by a retry.
        case retried
        /// The task can't run, because of these.
        case blocked(by: [String])
        /// What kept the task from running is gone.
        case unblocked
        /// Somebody ended an attempt that wasn't Executing any more; nothing has changed.
        case endIgnored
        /// Nobody holds the attempt any more who could end it by name.
        case letGo
        /// A stopped body hasn't ended in time, and is waited for no longer.
        case abandoned
        /// A body has run for so long.
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
        /// Nothing more happens by itself.
        case settled(RunReport.Ending)
    }
}

extension WorkflowEvent: CustomStringConvertible {
    /// One readable line: `17 upload (attempt 2) failed: timed out`.
    public var description: String {
        let tries = attempt > 1 ? " (attempt \(attempt))" : ""
        return "\(number) \(name)\(tries) \(kind.text)"
    }
}

extension WorkflowEvent.Kind {
    fileprivate var text: String {
        switch self {
        case .progress(let fraction, let text):
            "is \(Int(fraction * 100)) % done\(text.map { ": \($0)" } ?? "")"
        case .step(let name): "has done \(name)"
        case .attemptFailed(let error, let wait): "failed: \(error); tries again in \(wait)"
        case .failed(let error): "failed: \(error)"
        case .cancelled(let reason): "was cancelled: \(reason)"
        case .blocked(let tasks): "is blocked by \(tasks.joined(separator: ", "))"
        case .stalled(let time): "has not ended for \(time)"
        case .settled(let ending): "has settled: \(ending)"
        case .endIgnored: "was ended late, which is ignored"
        case .letGo: "was let go without having ended"
        default: "\(self)"
        }
    }
}
