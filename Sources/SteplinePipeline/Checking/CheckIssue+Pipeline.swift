public import SteplineSupport

extension CheckIssue.Code {
    /// The pipeline has no steps.
    public static let noSteps = Self("noSteps")
    /// An entry that the step reads, or that the pipeline must return, is never written.
    public static let missingInput = Self("missingInput")
    /// An entry has a type that its reader, or the pipeline's output, can't accept.
    public static let typeMismatch = Self("typeMismatch")
    /// A setting of the step is invalid.
    public static let badConfiguration = Self("badConfiguration")
    /// A step that can't be repeated has a retry policy.
    public static let notRepeatable = Self("notRepeatable")
    /// A step could not be added, because it belongs to another pipeline or has run.
    public static let stepNotAdded = Self("stepNotAdded")
    /// A step depends on itself or on a later step.
    public static let dependsOnLaterStep = Self("dependsOnLaterStep")
    /// A body is overwritten before a step has read it.
    public static let unreadOverwritten = Self("unreadOverwritten")
}

extension CheckIssue {
    init(
        _ code: Code, _ severity: Severity = .error, at step: StepPosition? = nil, key: AnyContentKey? = nil,
        found: AnyContentKey? = nil, _ text: String
    ) {
        self.init(
            code, severity, subject: step?.name ?? "", place: step.map { "\($0)" } ?? "",
            path: step.map { [$0.index + 1] } ?? [], key: key?.name, expected: key.map { "\($0.valueType)" },
            found: found.map { "\($0.valueType)" }, text
        )
    }
}
