package import struct Foundation.Date

/// The state of a workflow at one moment: its tasks, their relations and attempts.
///
/// All reports and pictures are created from this value. It contains no bodies and no results.
package struct WorkflowGraph: Sendable {
    package struct Task: Sendable {
        package var id: TaskID
        package var name: String
        package var state = WorkflowTask.State.ready
        /// The number of attempts.
        package var attempt = 0
        package var isBlocked = false
        package var isCleanup = false
        package var isCondition = false
        package var error: (any Error)?
        /// A remark in addition to the state, as a single line.
        package var note: String?
        package var finishDate: Date?
        /// The index of its group.
        package var group: Int?
        /// The range of its prerequisites in `edges`.
        package var prerequisites: Range<Int> = 0..<0
        package var attempts: [AttemptRecord] = []
        /// The inner workflow, if there is one.
        package var inside: WorkflowGraph?
    }

    package struct Edge: Sendable {
        package var prerequisite: Int
        package var dependent: Int
        /// The keys under which the dependent finds the prerequisite.
        package var keysAsGiven: [PrerequisiteKey] = []
        /// The keys as text, sorted; converting them is user code, so read this property without a lock.
        package var keys: [String] { keysAsGiven.map(\.description).sorted() }
        package var allowsFailure = false
        /// Whether the dependent is a cleanup of the prerequisite.
        package var guards = false
    }

    package struct Group: Sendable {
        package var name: String
        package var tasks: [Int]
    }

    package var name: String
    /// The tasks in order of addition, so prerequisites precede their dependents.
    package var tasks: [Task] = []
    package var edges: [Edge] = []
    package var groups: [Group] = []
    /// Whether tasks are running.
    package var isRunning = false
    /// The end of the run; nil while it runs, and before the first start.
    package var ending: RunReport.Ending?
    /// The number of attempts kept per task; 0 for none.
    package var keptAttempts = 0

    /// Sets remarks by task name, including tasks of inner workflows.
    package mutating func note(_ lines: [String: String]) {
        // The usual case has no remarks.
        guard !lines.isEmpty else { return }
        for place in tasks.indices {
            tasks[place].note = lines[tasks[place].name]
            // Names of inner tasks may equal outer names: both get the remark.
            tasks[place].inside?.note(lines)
        }
    }
}
