/// Something that `Pipeline.check()` has found.
public struct PipelineIssue: Sendable, Hashable, CustomStringConvertible {
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

        /// The pipeline has no steps.
        public static let noSteps = Code(description: "noSteps")
        /// Nothing before the step writes an entry that it reads.
        public static let missingInput = Code(description: "missingInput")
        /// An entry is written with a type that its reader can't take.
        public static let typeMismatch = Code(description: "typeMismatch")
        /// A setting of the step is known to be wrong.
        public static let badConfiguration = Code(description: "badConfiguration")
        /// A retry policy on a step that can't be repeated.
        public static let notRepeatable = Code(description: "notRepeatable")
        /// A step could not be added, as it belongs to another pipeline or has been run.
        public static let stepNotAdded = Code(description: "stepNotAdded")
        /// A body is overwritten before anybody has read it.
        public static let unreadOverwritten = Code(description: "unreadOverwritten")
    }

    /// What kind of finding it is.
    public let code: Code
    /// How grave it is.
    public let severity: Severity
    /// The step it is about; nil if it is about the whole pipeline.
    public let step: StepPosition?
    /// The entry it is about.
    public let key: String?
    /// The type that is wanted.
    public let wanted: String?
    /// The type that would be found.
    public let found: String?

    private let text: String

    init(
        _ code: Code, severity: Severity = .error, at step: StepPosition? = nil, key: AnyContentKey? = nil,
        found: AnyContentKey? = nil, _ text: String
    ) {
        self.code = code
        self.severity = severity
        self.step = step
        self.key = key?.name
        wanted = key.map { "\($0.valueType)" }
        self.found = found.map { "\($0.valueType)" }
        self.text = text
    }

    /// One readable line: `step 2 of 3 "decode": nothing before it writes "bodyData" (Data is wanted)`.
    public var description: String {
        step.map { "\($0): \(text)" } ?? text
    }
}
