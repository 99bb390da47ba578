public import SteplineManager
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
        let running = Task.detached { try await self.run() }
        do {
            return try await withTaskCancellationHandler {
                try await running.value
            } onCancel: {
                cancel(because: current?.handle.endReason ?? "its managed task has ended")
            }
        } catch let error as WorkflowError where error.code == .cancelled {
            var reason: String?
            if case .cancelled(let given) = error.report?.outcome { reason = given }
            throw OutsideCancellation(reason: reason)
        }
    }
}
