/// Something that `Workflow.check()` has found.
public struct WorkflowIssue: Sendable, Hashable, CustomStringConvertible {
    /// How grave it is.
    public enum Severity: Sendable, Hashable {
        /// Stops a start.
        case error
        /// Is likely a mistake, but stops nothing.
        case warning
    }

    /// The kinds of findings; more may be added.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        /// A required key was not given.
        public static let missingKey = Code(description: "missingKey")
        /// A prerequisite's result is of another type than the one declared.
        public static let typeMismatch = Code(description: "typeMismatch")
        /// A name is taken that must be unique.
        public static let duplicateName = Code(description: "duplicateName")
        /// A weight is above what a pool has.
        public static let poolTooSmall = Code(description: "poolTooSmall")
        /// An option is out of its range.
        public static let invalidOption = Code(description: "invalidOption")
        /// The task's own content has a mistake, such as a key in its pipeline.
        public static let content = Code(description: "content")
        /// The task can't run, below one that has failed or was cancelled.
        public static let unreachable = Code(description: "unreachable")
        /// A subworkflow without tasks.
        public static let emptySubworkflow = Code(description: "emptySubworkflow")
        /// A deadline is shorter than a time-out.
        public static let shortDeadline = Code(description: "shortDeadline")
    }

    /// What kind of finding it is.
    public let code: Code
    /// How grave it is.
    public let severity: Severity
    /// The task it is about; nil if it is about the workflow.
    public let task: TaskID?
    /// The task's name.
    public let name: String

    private let text: String

    init(_ code: Code, _ severity: Severity = .error, task: TaskID?, name: String, _ text: String) {
        self.code = code
        self.severity = severity
        self.task = task
        self.name = name
        self.text = text
    }

    /// Makes a finding about the content of a task; the workflow adds which.
    public init(content text: String, severity: Severity = .error) {
        self.init(.content, severity, task: nil, name: "", text)
    }

    /// One readable line.
    public var description: String { name.isEmpty ? text : "\(name): \(text)" }

    func at(_ place: RunReport.TaskName) -> WorkflowIssue {
        WorkflowIssue(code, severity, task: place.id, name: place.name, text)
    }
}
