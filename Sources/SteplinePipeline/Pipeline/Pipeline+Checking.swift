import SteplineSupport

extension Pipeline {
    /// Finds every mistake in keys, types and settings that can be seen before the run, all at once.
    ///
    /// Runs nothing, touches no file or network, and may be called at any time. `start()` and `run()` make
    /// this check by themselves and fail with its errors; warnings stop nothing.
    public func check() -> [PipelineIssue] {
        issues(in: machine.withLock { $0.steps })
    }

    private func issues(in steps: [any Step]) -> [PipelineIssue] {
        var issues = machine.withLock { $0.refusedSteps }
        if steps.isEmpty, issues.isEmpty { issues.append(PipelineIssue(.noSteps, "there are no steps")) }
        var scan = ChainScan(content: firstBag)
        for (index, step) in steps.enumerated() {
            scan.visit(
                step,
                at: StepPosition(
                    name: step.displayName, type: step.typeName, index: index, count: steps.count
                ),
                &issues
            )
        }
        return issues
    }

    /// Checks steps that are to join a running pipeline; what is wrong with the others was told at the start.
    func check(_ newSteps: some StepCollection, insertedIn line: [any Step], at index: Int) throws {
        var steps = line
        steps.insert(contentsOf: newSteps, at: index)
        let places = index..<index + newSteps.count
        let issues = issues(in: steps).filter { issue in
            issue.severity == .error && (issue.step.map { places.contains($0.index) } ?? true)
        }
        if !issues.isEmpty { throw PipelineError.checkFailed(issues, pipeline: name) }
    }

    /// The errors that stop a start; with `wanted`, also that the last step can't make what is wanted.
    func errors(in steps: [any Step], wanted: AnyContentKey?) -> [PipelineIssue] {
        var errors = issues(in: steps).filter { $0.severity == .error }
        if let wanted, let last = steps.last, let issue = mismatch(of: last, in: steps, wanted: wanted) {
            errors.append(issue)
        }
        return errors
    }

    private func mismatch(of last: any Step, in steps: [any Step], wanted: AnyContentKey) -> PipelineIssue? {
        let made = last.outputs.first
        if let made, made.slot == .wholeBag || TypeFit(made, readAs: wanted) != .cannotFit { return nil }
        if made == nil, wanted.isOptional || wanted.slot == .nothing { return nil }
        let found = made.map { "\($0.valueType)" } ?? "nothing"
        return PipelineIssue(
            .typeMismatch,
            at: StepPosition(
                name: last.displayName, type: last.typeName, index: steps.count - 1, count: steps.count
            ),
            key: wanted, found: made, "it makes \(found), but the caller wants \(wanted.valueType)"
        )
    }
}
