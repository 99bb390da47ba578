public import SteplineManager
public import SteplinePipeline
import SteplineSupport

/// A pipeline as a managed task: its result is what it makes, its failure the pipeline's own error.
///
/// An attempt starts the pipeline, or, if it was started before, a fresh copy; a step that can't be copied
/// fails it. Ending the handle cancels what that attempt runs.
extension Pipeline: ManagedTask {
    /// None beyond the pipeline's own.
    public var timeout: Duration? { nil }

    /// Runs the pipeline, or a copy if it was started before, and returns what it makes.
    public func execute() async throws -> Output {
        var pipeline = self
        do {
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
        case .failure(let error): throw error
        case .cancelled(let reason): throw OutsideCancellation(reason)
        }
    }
}
