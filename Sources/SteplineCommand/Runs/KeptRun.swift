import SteplineRuns
import SteplineWorkflow

/// A durable run in front of a user.
protocol KeptRun: Sendable {
    /// Runs the workflow; returns after its end, or after the Swift task was cancelled.
    ///
    /// `opened` is called once, when this process owns the run and before the first body starts.
    func run(_ workflow: Workflow, opened: @escaping @Sendable (OpenedRun) -> Void) async throws

    /// Returns the watch for tasks that workers have skipped; nil if this process runs all tasks.
    func skips(in workflow: Workflow) -> SkipsElsewhere?

    /// A line with the next command to enter; nil if the run is finished or still running.
    var hint: String? { get }
}
