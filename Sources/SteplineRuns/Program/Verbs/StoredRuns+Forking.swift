package import SteplineWorkflow

extension StoredRuns {
    /// A new run as `runs fork --json` tells of it.
    private struct Forked: Encodable {
        let workflow: String
        let key: String
        let kept: Int
    }

    /// Makes a run of another key that keeps all that doesn't follow from a step.
    ///
    /// The workflow is that of the run, and fresh: it says what follows from what.
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
