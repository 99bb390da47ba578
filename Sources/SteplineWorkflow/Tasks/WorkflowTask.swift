public import Foundation
public import SteplineSupport

/// A unit of work with prerequisites, which can be started, cancelled, retried and reset.
///
/// A subclass overrides ``main()`` and ends the attempt once, at any time and from any thread. Or it overrides
/// ``run()``, which returns the result or throws the error. A task without an override finishes at once: the base class
/// joins its prerequisites.
///
///     final class Upload: WorkflowTask, @unchecked Sendable {
///         override func main() {
///             let attempt = currentAttempt
///             let request = client.upload(photo) { attempt.finish(with: $0) }
///             attempt.onCancel { request.cancel() }
///         }
///     }
open class WorkflowTask: @unchecked Sendable {  // `face` protects all changing state
    let face: Locked<TaskFace>

    /// Creates a Ready task without a workflow.
    ///
    /// - Parameters:
    ///   - name: The name; nil for the default.
    ///   - options: The options of the task.
    public init(name: String? = nil, options: TaskOptions = .init()) {
        // State before and after a workflow is created on demand: most tasks need none.
        face = Locked(TaskFace(name: name ?? "", options: options))
    }

    /// Performs the work of an attempt, which must end through ``currentAttempt``; overrides don't call super.
    ///
    /// Called on a worker thread or an operation queue. The method may return before the end of the attempt, which then
    /// occupies no thread.
    open func main() {
        // Not overridden: `run()` performs the work.
        TaskAttempt.running?.wantsRun()
    }

    /// Performs the work of an attempt as an `async` method; its result or error ends the attempt.
    ///
    /// Stopping the attempt cancels the Swift task of this method.
    ///
    /// - Throws: An error that fails the attempt; the retry policy decides whether another one follows.
    open func run() async throws -> (any Sendable)? { nil }

    /// The required prerequisite keys; an override includes those of super.
    open var requiredPrerequisiteKeys: Set<PrerequisiteKey> { [] }

    /// The type of the result, if known before the run.
    open var resultType: (any Sendable.Type)? { nil }

    /// The files that the task writes, which a resumed durable run verifies; by default those of the options.
    open var produces: [URL] { options.produces }

    /// Called when the task has its result, on the thread of the event, before delegates.
    open func didFinish(with result: (any Sendable)?) {}

    /// Called when the task has failed finally, on the thread of the event, before delegates.
    open func didFail(with error: (any Error)?) {}

    /// Called when the task was cancelled, on the thread of the event, before delegates.
    open func didCancel() {}

    /// Called when the task was reset and is still Pending, on the thread of the event.
    open func didReset() {}

    /// Called when the task was returned to Pending by a retry, on the thread of the event.
    open func didRetry() {}

    /// Returns the issues of this task alone; an override adds issues that only the task can find.
    open func findIssues() -> [CheckIssue] { [] }

    // MARK: For the engine

    /// Whether the task has a body.
    var hasBody: Bool { type(of: self) != WorkflowTask.self }

    /// Whether a subclass may override the methods that report changes.
    var hasHooks: Bool { type(of: self) != WorkflowTask.self }

    /// The kind of the task for the machine.
    var traits: TaskNode.Traits { .endsByCall }

    /// Whether the check has to ask this task.
    var canHaveIssues: Bool { hasHooks }

    /// Called before the task is added; may throw to reject the addition.
    func willJoin(_ home: WorkflowHome) throws {}

    /// Called if the addition failed afterwards.
    func hasNotJoined() {}

    /// Cancels the inner workflow in its current generation for an attempt.
    func cancelInside(_ reason: CancellationReason, of attempt: UInt32) {}

    /// Resets the inner workflow, before the task becomes Ready.
    func resetInside(isRetry: Bool) {}

    /// Begins the body; returns true if ``run()`` performs it.
    func begin(_ attempt: TaskAttempt) -> Bool {
        TaskAttempt.$running.withValue(attempt) { main() }
        // The base implementation of `main` has marked the attempt.
        return attempt.isToRun
    }
}

extension WorkflowTask: Hashable, Identifiable {
    /// Returns whether both are the same object.
    public static func == (left: WorkflowTask, right: WorkflowTask) -> Bool { left === right }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The changing state of a task's object.
struct TaskFace {
    /// The workflow that the task belongs to, or is being added to.
    var owner: WorkflowHome?
    var number: Int32 = 0
    var name: String
    var options: TaskOptions
    /// Whether the task is being added.
    var isReserved = false
    var past: PastBox?
    var extras: TaskExtras?
}

/// The state of a task without a workflow, created on demand.
final class PastBox: @unchecked Sendable {  // used only under the lock of the task's face
    var past: TaskPast
    init(_ past: TaskPast) { self.past = past }
}

/// The state that only some tasks have.
final class TaskExtras: @unchecked Sendable {  // used only under the lock of the task's face
    weak var delegate: (any WorkflowTaskDelegate)?
    var queue: OperationQueue?
    var listeners: [Listener<WorkflowTask.Change>] = []
}
