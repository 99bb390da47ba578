public import SteplineManager
public import SteplinePipeline
import SteplineSupport

/// A pipeline as a managed task: its value is the pipeline's output, its error the pipeline's own error.
///
/// An attempt starts the pipeline, or a new copy if the pipeline was started before. A step that can't be copied fails
/// the attempt. Ending the handle cancels the pipeline of the current attempt.
extension Pipeline: ManagedTask {
    /// No limit in addition to the pipeline's own.
    public var timeout: Duration? { nil }

    /// Runs the pipeline, or a copy if it was started before, and returns its output.
    public func execute() async throws -> Output {
        var pipeline = self
        do {
            // Another attempt, or another addition of the same pipeline, has started it.
            try pipeline.start()
        } catch let error as PipelineError where error.code == .alreadyStarted {
            pipeline = try copy()
            try pipeline.start()
        }
        let running = pipeline
        let current = TaskManager.current
        let outcome = await withTaskCancellationHandler {
            await running.outcome()
        } onCancel: {
            running.cancel(current?.handle.cancellation ?? .managedTask)
        }
        switch outcome {
        case .success(let made): return made
        // Report the cancellation as one from outside, so no reactor requeues the task.
        case .failure(let error): throw error
        case .cancelled(let reason): throw OutsideCancellation(reason)
        }
    }
}
