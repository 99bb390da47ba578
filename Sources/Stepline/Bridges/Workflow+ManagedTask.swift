public import SteplineManager
import SteplineSupport
public import SteplineWorkflow

/// A workflow as a managed task: its value is the run's report, its error the workflow's own error.
///
/// The first attempt starts the workflow or joins its current run. Later attempts retry it: only failed and cancelled
/// tasks run again. Ending the handle cancels the workflow.
extension Workflow: ManagedTask {
    /// No limit in addition to the workflow's own.
    public var timeout: Duration? { nil }

    /// Runs the workflow and returns its report.
    public func execute() async throws -> RunReport {
        let current = TaskManager.current
        if (current?.attempt ?? 1) > 1 { retry() }
        // A detached task isn't cancelled with this one, so the workflow receives only the handle's reason.
        let values = PropagatedValues.current
        let running = Task.detached { await PropagatedValues.call(with: values) { await self.outcome() } }
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
