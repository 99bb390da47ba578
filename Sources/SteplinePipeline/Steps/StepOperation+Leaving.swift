import SteplineEngine
import SteplineSupport

extension StepOperation {
    /// Leaves its pipeline, which has not begun the step; not to be called under a lock.
    ///
    /// If a queue has started the step meanwhile, the step begins: the queue would wait for its end for ever. It begins
    /// on a worker, since the caller must not run bodies.
    func leave(_ pipeline: PipelineLink) {
        guard state.withLock({ $0.release(from: pipeline) }) else { return }
        Workers.shared.perform { [self] _ in start() }
    }
}
