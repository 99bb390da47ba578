import SteplineEngine
import SteplineSupport

extension StepOperation {
    /// Releases the step from its pipeline, which never began it; don't call this under a lock.
    ///
    /// A foreign queue may have started the step meanwhile and waits for its end. The step then runs on a worker.
    func leave(_ pipeline: PipelineLink) {
        if state.withLock({ $0.release(from: pipeline) }) { Workers.shared.enqueue(LateStart(self)) }
    }
}

/// Starts a step on a worker: the thread that releases a pipeline must not run bodies.
private final class LateStart: WorkerJob {
    private let step: StepOperation

    init(_ step: StepOperation) { self.step = step }

    func run(on worker: Worker) { step.start() }
}
