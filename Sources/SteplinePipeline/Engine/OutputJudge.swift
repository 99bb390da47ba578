/// Says what is wrong with a last bag, if it doesn't hold what the pipeline is to make.
///
/// Called under the lock: it only looks. It also gets the place of the last step.
typealias OutputJudge = (Content, StepPosition?) -> PipelineError?
