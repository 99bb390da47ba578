/// The result of a check whether some content contains the pipeline's output.
///
/// The check runs before the transaction, because a cast may run user code. It is valid only for `version` of the line.
struct OutputFinding {
    /// The version of the checked line; nil if any content is valid.
    let version: UInt32?
    /// The error of the pipeline, if the step that left the content is the last one.
    let fault: PipelineError?

    /// The result for a pipeline without an output, or with the content as its output.
    static let anyBag = OutputFinding(version: nil, fault: nil)
}
