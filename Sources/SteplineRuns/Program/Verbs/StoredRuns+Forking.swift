package import SteplineWorkflow

extension StoredRuns {
    /// The JSON output of `runs fork`.
    private struct Forked: Encodable {
        let workflow: String
        let key: String
        let kept: Int
    }

    /// Creates a run that keeps all results that don't depend on a step.
    ///
    /// `shape` is a new workflow of the run, which provides the dependencies.
    package func fork(_ key: String, from step: String, to other: String, shape: Workflow) throws
        -> RunsAnswer
    {
        let source = try run(key)
        let fork = RunFork(store: store, source: source, graph: RunGraph(shape))
        let count = try fork.make(other, from: step, at: now)
        let made = RunID(source.id.workflow, key: other)
        if isJSON { return try RunsAnswer(json: Forked(workflow: made.workflow, key: made.key, kept: count)) }
        guard let run = try store.run(made) else { throw RunsError("\(made) was forgotten") }
        let kept = "\(made) keeps \(RunsText.count(count, "step")) of \(source.id)"
        return RunsAnswer(lines: [RunsText.oneLine(kept) + "; \(guide.next(run))"])
    }
}
