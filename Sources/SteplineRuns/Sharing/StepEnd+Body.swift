import SteplineSupport
import SteplineWorkflow

extension StepEnd {
    /// Converts the outcome of a worker into an outcome for the workflow.
    ///
    /// A result stays in the store until a dependent reads it.
    func bodyEnd(of facts: StepFacts, in run: RunID, _ store: any RunStore) -> BodyElsewhere.End {
        switch outcome {
        case .finished: .finished(KeptResult(StepResult(of: step, in: run, store, facts.codec), 0))
        case .failed(let failure): .failed(KeptFailure(failure), retryAfter: nil)
        case .retries(let failure, let seconds): .failed(KeptFailure(failure), retryAfter: .seconds(seconds))
        case .stopped: .stopped
        }
    }
}
