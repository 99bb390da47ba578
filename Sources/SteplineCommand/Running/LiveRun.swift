import Foundation
import Stepline
import SteplinePipeline
import SteplineSupport
import SteplineWorkflow

/// A run of a workflow in front of a user: shown, logged, interruptible, reported.
final class LiveRun: Sendable {
    let arguments: Arguments
    let session: Session

    init(_ arguments: Arguments, _ session: Session) {
        self.arguments = arguments
        self.session = session
    }

    /// Shows the steps, bytes and attempts of a pipeline that a task of that name runs.
    ///
    /// To be called where the pipeline is made, so before it starts.
    func follow(_ pipeline: Pipeline, of task: String) {}

    /// Starts the workflow, and waits until it has settled or was interrupted; what failed has been told then.
    func run(_ workflow: Workflow) async throws -> ExitCode {
        do {
            try await workflow.run()
            return .success
        } catch let error as WorkflowError where error.code == .checkFailed {
            throw error
        } catch {
            for failure in (error as? WorkflowError)?.report?.failures ?? [] {
                session.complain("\(failure)")
            }
            return .failure
        }
    }
}
