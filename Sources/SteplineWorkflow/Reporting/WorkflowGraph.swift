package import struct Foundation.Date

/// A workflow as it stands at one instant: its tasks, what they wait for, and what is known of their attempts.
///
/// All reports and pictures are made of it. Holds no body and no result.
package struct WorkflowGraph: Sendable {
    package struct Task: Sendable {
        package var id: TaskID
        package var name: String
        package var state = WorkflowTask.State.ready
        /// How many attempts have begun.
        package var attempt = 0
        package var isBlocked = false
        package var isCleanup = false
        package var isCondition = false
        package var error: (any Error)?
        /// What is to be said of it beside its state, in a line.
        package var note: String?
        package var finishDate: Date?
        /// Its place among the groups.
        package var group: Int?
        /// Its prerequisites are `edges[prerequisites]`.
        package var prerequisites: Range<Int> = 0..<0
        package var attempts: [AttemptRecord] = []
        /// The workflow inside, if it has one.
        package var inside: WorkflowGraph?
    }

    package struct Edge: Sendable {
        package var prerequisite: Int
        package var dependent: Int
        /// What the dependent finds the prerequisite by.
        package var keysAsGiven: [PrerequisiteKey] = []
        /// The same as text, sorted; a user's code says it, so it is asked for where no lock is held.
        package var keys: [String] { keysAsGiven.map(\.description).sorted() }
        package var allowsFailure = false
        /// The dependent cleans up behind the prerequisite.
        package var guards = false
    }

    package struct Group: Sendable {
        package var name: String
        package var tasks: [Int]
    }

    package var name: String
    /// In order of adding, so that prerequisites come before their dependents.
    package var tasks: [Task] = []
    package var edges: [Edge] = []
    package var groups: [Group] = []
    /// Whether something goes on in it.
    package var isRunning = false
    /// How it has settled; nil while it runs, and before it was ever started.
    package var ending: RunReport.Ending?
    /// How many attempts of each task are kept; 0 if none are.
    package var keptAttempts = 0

    /// Says these lines of the tasks of these names, those inside others too.
    package mutating func note(_ lines: [String: String]) {
        guard !lines.isEmpty else { return }
        for place in tasks.indices {
            tasks[place].note = lines[tasks[place].name]
            tasks[place].inside?.note(lines)
        }
    }
}
