import SteplineSupport
import SteplineWorkflow

extension StepEnd {
    /// Converts the outcome of a worker into an outcome for the workflow.
    ///
    /// A result stays in the store until a dependent reads it.
    ///
    /// - Parameter found: What the step has found, if it is an element of a growing map.
    func bodyEnd(
        of facts: StepFacts, in run: RunID, _ store: any RunStore, _ found: GrownBytes.Found?
    ) -> BodyElsewhere.End {
        switch outcome {
        case .finished:
            let kept = KeptResult(StepResult(of: step, in: run, store, facts.codec), 0)
            guard let found else { return .finished(kept) }
            return .finished(GrownResult(kept, found: found.elements, depth: found.depth))
        case .failed(let failure): return .failed(KeptFailure(failure), retryAfter: nil)
        case .retries(let failure, let seconds):
            return .failed(KeptFailure(failure), retryAfter: .seconds(seconds))
        case .stopped: return .stopped
        }
    }
}
