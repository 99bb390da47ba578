import SteplinePipeline
import SteplineWorkflow

extension FlowPlan {
    /// Adds the tasks that run after the other tasks have ended or will never run, as cleanups of the workflow.
    ///
    /// A cancel of the workflow doesn't reach cleanups. After the first Ctrl-C these tasks wait until the bodies of the
    /// other tasks are over. They run if one of these tasks had begun. The second Ctrl-C ends the process at once.
    func addLast(
        to workflow: Workflow, of shared: FlowWorkTask.Shared, after made: [String: WorkflowTask],
        options: (FlowTask) -> TaskOptions
    ) throws {
        let last = order.enumerated().filter(\.element.runs.isLast)
        guard !last.isEmpty else { return }
        let fatal = fatalTasks()
        let before = Dictionary(uniqueKeysWithValues: file.tasks.map { ($0.name, $0.after.map(\.name)) })
        let began = began ?? setting.clock.now
        for (number, task) in last {
            let names = task.after.isEmpty ? Set(made.keys) : Self.reached(from: task.name, by: before)
            let guarded = order.compactMap { names.contains($0.name) ? made[$0.name] : nil }
            if guarded.isEmpty {
                // The task was selected alone.
                try workflow.add(FlowWorkTask(number, of: shared, options(task)))
            } else {
                try add(task, options(task), to: workflow, after: guarded) { [self] in
                    FlowRunSummary(of: guarded, in: self, began: began, fatal: fatal)
                }
            }
        }
    }

    private func add(
        _ task: FlowTask, _ how: TaskOptions, to workflow: Workflow, after guarded: [WorkflowTask],
        summary: @escaping @Sendable () -> FlowRunSummary
    ) throws {
        let named = Set(task.after.map(\.name))
        try workflow.addCleanup(fullName(task.name), after: guarded, options: how) { [self] in
            let summary = summary()
            guard task.runs == .always || summary.hasFailed == (task.runs == .onFailure) else { return }
            var bag = bag(of: guarded.filter { named.contains(own($0)) })
            bag[.run] = try summary.json()
            guard try skips(task, after: [], bag) == nil else { return }
            _ = try await FlowChain(task, in: self).run(bag, named: fullName(task.name))
            try checkWritten(by: task)
        }
    }

    /// The full names of tasks whose failure is permitted.
    var allowedFailures: Set<String> {
        Set(Set(order.map(\.name)).subtracting(fatalTasks()).map { fullName($0) })
    }

    /// Returns the tasks whose failure fails the run: all except those that every dependent permits to fail.
    private func fatalTasks() -> Set<String> {
        var fatal = Set(order.map(\.name))
        var needed: Set<String> = []
        for task in order where !task.runs.isLast {
            let allowed = Set(task.allowFailure.map(\.name))
            for reference in task.after {
                if allowed.contains(reference.name) {
                    fatal.remove(reference.name)
                } else {
                    needed.insert(reference.name)
                }
            }
        }
        return fatal.union(needed)
    }

    private static func reached(from name: String, by before: [String: [String]]) -> Set<String> {
        var reached: Set<String> = []
        var toVisit = before[name] ?? []
        while let next = toVisit.popLast() {
            if reached.insert(next).inserted { toVisit += before[next] ?? [] }
        }
        return reached
    }
}
