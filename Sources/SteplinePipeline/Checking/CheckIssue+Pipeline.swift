public import SteplineSupport

extension CheckIssue.Code {
    /// The pipeline has no steps.
    public static let noSteps = Self("noSteps")
    /// Nothing writes an entry that the step reads, or that the pipeline is to make.
    public static let missingInput = Self("missingInput")
    /// An entry is written with a type that its reader can't take, or in place of what the pipeline is to make.
    public static let typeMismatch = Self("typeMismatch")
    /// A setting of the step is known to be wrong.
    public static let badConfiguration = Self("badConfiguration")
    /// A retry policy on a step that can't be repeated.
    public static let notRepeatable = Self("notRepeatable")
    /// A step could not be added, as it belongs to another pipeline or has been run.
    public static let stepNotAdded = Self("stepNotAdded")
    /// A step depends, as an operation, on itself or on one that comes after it.
    public static let dependsOnLaterStep = Self("dependsOnLaterStep")
    /// A body is overwritten before anybody has read it.
    public static let unreadOverwritten = Self("unreadOverwritten")
}

extension CheckIssue {
    init(
        _ code: Code, _ severity: Severity = .error, at step: StepPosition? = nil, key: AnyContentKey? = nil,
        found: AnyContentKey? = nil, _ text: String
    ) {
        self.init(
            code, severity, subject: step?.name ?? "", place: step.map { "\($0)" } ?? "",
            path: step.map { [$0.index + 1] } ?? [], key: key?.name, wanted: key.map { "\($0.valueType)" },
            found: found.map { "\($0.valueType)" }, text
        )
    }
}
