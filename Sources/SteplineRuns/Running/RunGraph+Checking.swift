import SteplineWorkflow

extension RunGraph {
    /// Creates the graph of a workflow for a run.
    ///
    /// - Throws: A `DurableRunError` if the key is invalid or the workflow was run already, and a `WorkflowError` if
    ///   the workflow can't be run durably.
    init(checking workflow: Workflow, for id: RunID) throws {
        guard (1...1024).contains(id.key.utf8.count) else {
            throw DurableRunError(
                .invalidKey, id.workflow, "a key has 1 to 1,024 bytes, not \(id.key.utf8.count)")
        }
        // Stored states can only be restored into tasks that have never run.
        guard workflow.isUntouched else { throw DurableRunError.notFresh(id) }
        self.init(workflow)
        let issues = (workflow.check() + self.issues).filter { $0.severity == .error }
        guard issues.isEmpty else { throw WorkflowError(checkFailedFor: workflow.name, issues) }
    }
}

extension DurableRunError {
    static func notFresh(_ id: RunID) -> DurableRunError {
        DurableRunError(
            .notFresh, id.workflow,
            "it was run or changed before its run was open; make a new workflow for each durable run")
    }
}

extension RunRecord {
    /// Throws if the run was cancelled; `retryingFailures` reopens it.
    func checkCancellation(retryingFailures: Bool) throws {
        guard case .cancelled(let why)? = ending, !retryingFailures else { return }
        throw DurableRunError(.cancelled, id.description, "the run was cancelled: \(why)")
    }
}
