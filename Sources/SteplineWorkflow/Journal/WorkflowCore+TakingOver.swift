import SteplineEngine

extension Workflow {
    /// The inputs of a task's result; nil unless all its prerequisites have finished, and have their results.
    package func inputs(of number: Int) -> TaskInputs? { core.inputs(of: Int32(number)) }

    /// The inputs that a task's result would have after these results of its prerequisites.
    package func inputs(of number: Int, after results: [(number: Int, value: (any Sendable)?)]) -> TaskInputs
    {
        core.inputs(core.look { $0.rare.options[Int32(number)] }, results)
    }
}

extension WorkflowCore {
    /// The result of an attempt that another run has made.
    func takeOver(_ job: TaskJob) -> TakenResult? {
        guard let journal = surroundings.withLock({ $0.journal }), let inputs = inputs(of: job.number) else {
            return nil
        }
        return journal.takeOver(Int(job.number), attempt: Int(job.attempt), inputs)
    }

    fileprivate func inputs(of number: Int32) -> TaskInputs? {
        // Only values are copied under the lock. Loading reads a store, and `element` is user code.
        let (options, found) = look { ($0.rare.options[number], $0.results(before: number)) }
        guard let found else { return nil }
        do {
            return inputs(
                options, try found.map { ($0.number, try ($0.value as? KeptResult)?.load() ?? $0.value) })
        } catch {
            // An unreadable input is a cache miss: the body runs, and finds the error itself.
            return nil
        }
    }

    fileprivate func inputs(
        _ options: TaskOptions?, _ results: [(number: Int, value: (any Sendable)?)]
    ) -> TaskInputs {
        TaskInputs(
            lifetime: options?.cacheLifetime ?? .zero, results: results, element: options?.element?())
    }
}

extension WorkflowMachine {
    /// The results of a task's prerequisites; nil unless all have finished.
    fileprivate func results(before number: Int32) -> [(number: Int, value: (any Sendable)?)]? {
        var results: [(Int, (any Sendable)?)] = []
        for place in graph.places(of: number) {
            let prerequisite = graph.edge(at: place).prerequisite
            guard tasks[prerequisite].state == .finished else { return nil }
            results.append((Int(prerequisite), tasks.value(prerequisite)))
        }
        return results
    }
}
