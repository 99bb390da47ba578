public import Foundation
public import SteplineSupport

/// A piece of work with prerequisites, which can be started, cancelled, retried and reset.
///
/// A subclass overrides ``main()``, and ends the attempt once, now or later, from any thread; or it overrides
/// ``run()``, whose return finishes it and whose throw fails it. One that does neither finishes at once: the
/// plain class joins its prerequisites.
///
///     final class Upload: WorkflowTask, @unchecked Sendable {
///         override func main() {
///             let attempt = currentAttempt
///             let request = client.upload(photo) { attempt.finish(with: $0) }
///             attempt.onCancel { request.cancel() }
///         }
///     }
open class WorkflowTask: @unchecked Sendable {  // everything that changes is behind `face`
    let face: Locked<TaskFace>

    /// Makes a task that is Ready and in no workflow.
    public init(name: String? = nil, options: TaskOptions = .init()) {
        face = Locked(TaskFace(name: name ?? "", options: options))
    }

    /// The work of an attempt, which must end it by ``currentAttempt``; don't call super.
    ///
    /// Runs on a thread of the workflow or on an operation queue. It may return before the attempt has ended,
    /// which then holds no thread.
    open func main() {
        TaskAttempt.running?.wantsRun()
    }

    /// The work of an attempt as an `async` method: its result, or error, ends the attempt.
    ///
    /// Stopping the attempt cancels the Swift task that it runs in.
    open func run() async throws -> (any Sendable)? { nil }

    /// The keys under which prerequisites must be given; an override includes super's.
    open var requiredPrerequisiteKeys: Set<PrerequisiteKey> { [] }

    /// The type of the result, where it is known beforehand.
    open var resultType: (any Sendable.Type)? { nil }

    /// The files that it makes, which a durable run looks for when it goes on: those of its options.
    open var produces: [URL] { options.produces }

    /// The task has its result; called on the thread of the event, before delegates.
    open func didFinish(with result: (any Sendable)?) {}

    /// The task has failed for good; called on the thread of the event, before delegates.
    open func didFail(with error: (any Error)?) {}

    /// The task was cancelled; called on the thread of the event, before delegates.
    open func didCancel() {}

    /// The task was reset, and is still Pending; called on the thread of the event.
    open func didReset() {}

    /// The task was put back by a retry, and is still Pending; called on the thread of the event.
    open func didRetry() {}

    /// What the check of a workflow finds in this task alone; an override adds what only the task can know.
    open func findIssues() -> [CheckIssue] { [] }

    // MARK: For the engine

    /// Whether anything is to be run.
    var hasBody: Bool { type(of: self) != WorkflowTask.self }

    /// Whether somebody may have overridden what tells of changes.
    var hasHooks: Bool { type(of: self) != WorkflowTask.self }

    /// What kind of task it is for the machine.
    var traits: TaskNode.Traits { .endsByCall }

    /// Whether the check has anything to look at in the task.
    var canHaveIssues: Bool { hasHooks }

    /// Called before the task is added; may refuse.
    func willJoin(_ home: WorkflowHome) throws {}

    /// Called if it isn't added after all.
    func hasNotJoined() {}

    /// Cancels what the task has inside as it stands for an attempt.
    func cancelInside(_ reason: CancellationReason, of attempt: UInt32) {}

    /// Resets what the task has inside, before the task is Ready.
    func resetInside() {}

    /// Begins the body; true if it is to be run by ``run()``.
    func begin(_ attempt: TaskAttempt) -> Bool {
        TaskAttempt.$running.withValue(attempt) { main() }
        return attempt.isToRun
    }
}

extension WorkflowTask: Hashable, Identifiable {
    /// Whether they are the same object.
    public static func == (left: WorkflowTask, right: WorkflowTask) -> Bool { left === right }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// All that changes about a task's object.
struct TaskFace {
    /// The workflow that has it, or is about to.
    var owner: WorkflowHome?
    var number: Int32 = 0
    var name: String
    var options: TaskOptions
    /// Whether it is being added right now.
    var isReserved = false
    var past: PastBox?
    var extras: TaskExtras?
}

/// State of a task that isn't in a workflow; made when there is some.
final class PastBox: @unchecked Sendable {  // touched only under the lock of the task's face
    var past: TaskPast
    init(_ past: TaskPast) { self.past = past }
}

/// What only some tasks have.
final class TaskExtras: @unchecked Sendable {  // touched only under the lock of the task's face
    weak var delegate: (any WorkflowTaskDelegate)?
    var queue: OperationQueue?
    var listeners: [Listener<WorkflowTask.Change>] = []
}
