import SteplineEngine
import SteplineSupport

extension StepOperation {
    /// Runs an attempt's body in a simulation, with the faults that the simulation injects.
    func runOnStage(_ context: StepContext, _ bag: Content) -> AttemptEnd? {
        let fault = Stages.current?.faults.fault(ofTask: displayName, attempt: context.attempt)
        switch fault {
        // For a failure after the body, the pipeline replaces the success: see `AnyPipeline.verdict`.
        case nil, .fails(_, afterBody: true): return runBody(context, bag)
        case .fails(let error, afterBody: false): return .failed(error)
        case .delayed(let delay):
            let values = PropagatedValues.current
            let waiting = Stages.task { [self] in
                do {
                    try await context.clock.sleep(for: delay)
                    // The body may block, so a worker runs the body and not the Swift task that waited.
                    Workers.shared.perform { [self] worker in
                        worker.beginBody()
                        let end = PropagatedValues.call(with: values) { runBody(context, bag) }
                        if let end { self.end(end, ofAttempt: context.attempt) }
                    }
                } catch {
                    end(attempt: context.attempt, error: error, content: nil, inTask: true)
                }
            }
            context.onCancel { waiting.cancel() }
            return nil
        case .hangs:
            return runInTask(context) {
                await Stages.hang()
                // `hang` returns only after a cancellation.
                throw CancellationError()
            }
        }
    }
}

extension AttemptVerdict {
    /// The text for the log of a simulation.
    var inLog: String {
        switch self {
        case .succeeded: "ends"
        case .cancelled: "is cancelled"
        case .failed(_, let cause, _, _): "fails: \(ErrorText.line(cause))"
        }
    }
}
