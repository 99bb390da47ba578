package import SteplineWorkflow

/// How a worker comes by the workflows of the runs that it works on.
package struct WorkedWorkflows: Sendable {
    /// Whether a task's version says what its program does, so that steps of another one are left to others.
    ///
    /// Else it is the run's owner alone who counts them, and whoever has the task at all has it in each version.
    let haveVersions: Bool
    private let build: @Sendable (RunRecord, _ isOwned: Bool) throws -> Workflow

    /// `build` makes the workflow that a run has: for a worker that runs steps of it, or owns it from now on.
    package init(
        haveVersions: Bool = true,
        build: @escaping @Sendable (RunRecord, _ isOwned: Bool) throws -> Workflow
    ) {
        self.haveVersions = haveVersions
        self.build = build
    }

    func make(_ run: RunRecord, isOwned: Bool) throws -> Workflow { try build(run, isOwned) }
}
