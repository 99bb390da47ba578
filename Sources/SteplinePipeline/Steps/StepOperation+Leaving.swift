import SteplineEngine
import SteplineSupport

extension StepOperation {
    /// Leaves its pipeline, which has not begun it; not to be called under a lock.
    ///
    /// If a queue has started it meanwhile, it begins: the queue would wait for it for ever.
    func leave(_ pipeline: PipelineLink) {
        if state.withLock({ $0.release(from: pipeline) }) { Workers.shared.enqueue(LateStart(self)) }
    }
}

/// A step on its way to a worker, since whoever lets go of a pipeline is not to run bodies.
private final class LateStart: WorkerJob {
    private let step: StepOperation

    init(_ step: StepOperation) { self.step = step }

    func run(on worker: Worker) { step.start() }
}
