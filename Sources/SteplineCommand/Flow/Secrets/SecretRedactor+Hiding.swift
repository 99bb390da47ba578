import SteplineSupport
import SteplineWorkflow

extension SecretRedactor {
    /// Returns the error, or a description without secrets.
    func hidden(_ error: any Error) -> any Error {
        guard !isEmpty, !(error is CancellationError) else { return error }
        var cause: (any Error)? = error
        // The chain of causes may be cyclic: check a limited number.
        for _ in 0..<32 {
            guard let next = cause else { return error }
            guard redacted(ErrorText.line(next)) == nil else { break }
            cause = (next as? any ErrorWithCause)?.underlying
        }
        return HiddenFailure(
            description: hidden(ErrorText.line(error)), isTransient: RetryPolicy.isTransient(error),
            retryAfter: retryAdvice(in: error)?.retryAfter)
    }

    func hidden(_ text: String) -> String { redacted(text) ?? text }

    /// Returns a workflow's graph with secrets removed from its texts.
    ///
    /// Redacting the rendered page instead would break it, since a short secret may occur in its markup by chance.
    func hidden(_ graph: WorkflowGraph) -> WorkflowGraph {
        guard !isEmpty else { return graph }
        var graph = graph
        graph.name = hidden(graph.name)
        for place in graph.groups.indices { graph.groups[place].name = hidden(graph.groups[place].name) }
        for place in graph.tasks.indices {
            var task = graph.tasks[place]
            task.name = hidden(task.name)
            task.note = task.note.map(hidden)
            task.error = task.error.map(hidden)
            task.attempts = task.attempts.map { attempt in
                AttemptRecord(
                    task: attempt.task, number: attempt.number, begin: attempt.begin, end: attempt.end,
                    ending: attempt.ending, error: attempt.error.map(hidden), waits: attempt.waits,
                    worker: attempt.worker, beginTime: attempt.beginTime, endTime: attempt.endTime)
            }
            task.inside = task.inside.map(hidden)
            graph.tasks[place] = task
        }
        return graph
    }
}
