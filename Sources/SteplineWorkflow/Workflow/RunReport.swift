public import SteplineSupport

public import struct Foundation.Date

/// What became of a run of a workflow.
public struct RunReport: Sendable {
    /// How a workflow has settled.
    public enum Ending: Sendable, Hashable, Codable {
        /// Every task without dependents is Finished.
        case finished
        /// Some task has failed for good.
        case failed
        /// Some task was cancelled, and none has failed.
        case cancelled(CancellationReason)
        /// It was cancelled as its time was over.
        case deadlineExceeded
        /// Some task was not started, and none has failed or was cancelled.
        case incomplete
    }

    /// Which task, for people and for look-up.
    public struct TaskName: Sendable, Hashable, CustomStringConvertible {
        /// Its place in the workflow.
        public let id: TaskID
        /// Its name.
        public let name: String
        /// The name.
        public var description: String { name }

        package init(id: TaskID, name: String) {
            self.id = id
            self.name = name
        }
    }

    /// A task that has failed for good.
    public struct Failure: Sendable, CustomStringConvertible {
        /// Which task.
        public let task: TaskName
        /// The number of the attempt.
        public let attempt: Int
        /// What it failed with, as it was given.
        public let error: (any Error)?
        /// What the error says, without secrets.
        let text: String
        /// When it failed.
        public let date: Date

        /// One readable line.
        public var description: String {
            "\(task)\(attempt > 1 ? " (attempt \(attempt))" : "") failed: \(text)"
        }
    }

    /// How it ended.
    public let ending: Ending
    /// The tasks that failed for good, by date.
    public let failures: [Failure]
    /// The tasks that can't run because of a failure or cancellation, in order of adding.
    public let blocked: [TaskName]
    /// The tasks that could run, but that nobody has started.
    public let notStarted: [TaskName]
    /// The workflow as it stood, if it keeps attempts.
    package let graph: WorkflowGraph?

    /// The last attempts of each task, tasks in order of adding.
    ///
    /// Empty unless the workflow's ``WorkflowOptions/keptAttempts`` says how many to keep.
    public var attempts: [AttemptRecord] { graph?.tasks.flatMap(\.attempts) ?? [] }

    /// The last attempts of one task, the oldest first.
    public func attempts(of task: TaskID) -> [AttemptRecord] {
        guard let graph, let place = task.path.last, graph.tasks.indices.contains(place - 1),
            graph.tasks[place - 1].id == task
        else { return [] }
        return graph.tasks[place - 1].attempts
    }
}
