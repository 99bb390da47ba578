/// What was found of a bag that may be the last one: whether it holds what the pipeline is to make.
///
/// Found before the machine is asked, as a cast may run a user's code; so it is of the line as it was then.
struct OutputFinding {
    /// The version of the line; nil if any bag will do.
    let version: UInt32?
    /// What is wrong, if that step is the last.
    let fault: PipelineError?

    /// Of a pipeline that makes nothing, or its bag.
    static let anyBag = OutputFinding(version: nil, fault: nil)
}
