public import SteplineManager
import SteplineSupport
public import SteplineWorkflow

/// A workflow as a managed task: its result is the run's report, its failure the workflow's own error.
///
/// The first attempt starts the workflow, or joins the run that is under way; later ones retry it: only what failed
/// or was cancelled runs again. Ending the handle cancels the workflow.
extension Workflow: ManagedTask {
    /// None beyond the workflow's own.
    public var timeout: Duration? { nil }

    /// Runs the workflow, and returns its report.
    public func execute() async throws -> RunReport {
        let current = TaskManager.current
        if (current?.attempt ?? 1) > 1 { retry() }
        // In a Swift task that isn't cancelled, so that the workflow hears the handle's reason alone.
        let running = Task.detached { await self.outcome() }
        let outcome = await withTaskCancellationHandler {
            await running.value
        } onCancel: {
            cancel(current?.handle.cancellation ?? .managedTask)
        }
        if case .cancelled(let reason) = outcome {
            throw OutsideCancellation(CancellationReason(.part, reason.description))
        }
        return try outcome.get()
    }
}
