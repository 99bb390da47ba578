import SteplinePipeline
import SteplineSupport

extension PipelineError {
    /// Returns the innermost cause of an error, which describes it best, and its number of attempts.
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
