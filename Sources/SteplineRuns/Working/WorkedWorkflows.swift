package import SteplineWorkflow

/// The workflows of the runs that a worker executes.
package struct WorkedWorkflows: Sendable {
    /// Whether task versions identify the program's code, so that the worker refuses other versions.
    ///
    /// Otherwise only the run's owner uses versions, and a program with the task accepts every version.
    let haveVersions: Bool
    private let build: @Sendable (RunRecord, _ isOwned: Bool) throws -> Workflow

    /// Creates the source of workflows.
    ///
    /// - Parameters:
    ///   - haveVersions: Whether task versions identify the program's code.
    ///   - build: Returns the workflow of a run, to execute single steps or, if the flag is set, to own the run.
    package init(
        haveVersions: Bool = true,
        build: @escaping @Sendable (RunRecord, _ isOwned: Bool) throws -> Workflow
    ) {
        self.haveVersions = haveVersions
        self.build = build
    }

    func make(_ run: RunRecord, isOwned: Bool) throws -> Workflow { try build(run, isOwned) }
}
