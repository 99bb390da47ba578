public import SteplineSupport

public import struct Foundation.Date

/// The report of a workflow's run.
public struct RunReport: Sendable {
    /// The end of a run.
    public enum Ending: Sendable, Hashable, Codable {
        /// Every task without dependents is Finished.
        case finished
        /// A task has failed.
        case failed
        /// A task was cancelled, and none has failed.
        case cancelled(CancellationReason)
        /// The workflow was cancelled because it exceeded its deadline.
        case deadlineExceeded
        /// A task was not started, and none has failed or was cancelled.
        case incomplete
    }

    /// The identity and name of a task.
    public struct TaskName: Sendable, Hashable, CustomStringConvertible {
        /// The position in the workflow.
        public let id: TaskID
        /// The name.
        public let name: String
        /// The name.
        public var description: String { name }

        package init(id: TaskID, name: String) {
            self.id = id
            self.name = name
        }
    }

    /// The failure of a task.
    public struct Failure: Sendable, CustomStringConvertible {
        /// The failed task.
        public let task: TaskName
        /// The number of the attempt.
        public let attempt: Int
        /// The error, unchanged.
        public let error: (any Error)?
        /// The text of the error, without secrets; of a map, how many elements have failed.
        package let text: String
        /// The time of the failure.
        public let date: Date

        /// The failure as a single line.
        public var description: String {
            "\(task)\(attempt > 1 ? " (attempt \(attempt))" : "") failed: \(text)"
        }
    }

    /// The end of the run.
    public let ending: Ending
    /// The time from the start to the end of the run; for a run that goes on, until now.
    public let duration: Duration
    /// The failed tasks, by date; the failed elements of a map come before the map.
    public internal(set) var failures: [Failure]
    /// The tasks that can't run because of a failure or cancellation, in order of addition.
    public let blocked: [TaskName]
    /// The tasks that could run but were not started.
    public let notStarted: [TaskName]
    /// The final state of the workflow, if it keeps attempts.
    package internal(set) var graph: WorkflowGraph?

    /// The last attempts of each task, with tasks in order of addition, and the elements of a map behind it.
    ///
    /// Empty unless ``WorkflowOptions/keptAttempts`` is positive.
    public var attempts: [AttemptRecord] { graph?.attempts ?? [] }

    /// Returns the last attempts of one task, oldest first.
    public func attempts(of task: TaskID) -> [AttemptRecord] {
        var (graph, found) = (graph, WorkflowGraph.Task?.none)
        for place in task.path {
            guard let tasks = graph?.tasks, tasks.indices.contains(place - 1) else { return [] }
            found = tasks[place - 1]
            graph = found?.inside
        }
        return found?.attempts ?? []
    }
}

extension WorkflowGraph {
    fileprivate var attempts: [AttemptRecord] {
        tasks.flatMap { $0.attempts + ($0.inside?.attempts ?? []) }
    }
}
