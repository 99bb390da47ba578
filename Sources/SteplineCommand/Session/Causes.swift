import SteplinePipeline
import SteplineSupport

extension PipelineError {
    /// The cause beneath all pipelines around it, which says best what is wrong, and the attempts made at it.
    static func cause(of error: any Error) -> (error: any Error, attempts: Int) {
        var cause = error
        var attempts = 1
        while let outer = cause as? PipelineError {
            attempts = max(attempts, outer.attempt)
            guard let inner = outer.underlying else { break }
            cause = inner
        }
        return (cause, attempts)
    }
}
