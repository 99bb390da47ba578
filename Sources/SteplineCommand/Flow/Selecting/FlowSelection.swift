/// The tasks to run: the requested ones with their prerequisites, without those that are up to date.
struct FlowSelection {
    /// The request of the user.
    struct Wish {
        /// The named tasks; empty for all.
        var tasks: [String] = []
        /// Run only these tasks and their dependents.
        var from: [String] = []
        /// Run only the named tasks, without prerequisites.
        var isOnly = false
        /// The tasks whose values the run's result needs.
        var valued: Set<String> = []
        /// Whether to skip tasks whose outputs are newer than their inputs.
        var skipsUpToDate = true

        var isForAll: Bool { tasks.isEmpty && from.isEmpty }
    }

    /// The tasks to run.
    private(set) var tasks: Set<String>
    /// The tasks skipped as up to date, in topological order.
    private(set) var upToDate: [String] = []

    /// Creates the selection; throws a `UsageError` for an unknown task or a missing value.
    init(_ wish: Wish, of plan: FlowPlan, _ graph: FlowTaskGraph, files: FlowFiles) throws {
        for name in wish.tasks + wish.from where graph.task(name) == nil {
            throw UsageError(
                "\(plan.setting.source.name) has no task '\(name)'"
                    + Guess.question(name, among: plan.file.tasks.map(\.name)))
        }
        guard !wish.isOnly || (!wish.tasks.isEmpty && wish.from.isEmpty) else {
            throw UsageError("--only requires the names of tasks, without --from")
        }
        tasks = graph.selected(wish)
        if wish.isOnly {
            try graph.checkValues(of: tasks)
        } else {
            // Prerequisites of --from run only if their value is needed.
            tasks = graph.withValues(tasks.union(wish.valued))
        }
        let named = Set(wish.tasks)
        // Last tasks run after selected tasks; only tasks whose value they need run because of them.
        let lastNamed = named.union(wish.from).filter { graph.task($0)?.runs.isLast == true }
        tasks.subtract(lastNamed)
        var last = lastNamed.union(wish.isOnly ? [] : graph.last(after: tasks))
        if wish.skipsUpToDate {
            let selected = tasks
            tasks = graph.outdated(among: selected, named: named, valued: wish.valued, files: files)
            last = lastNamed.union(graph.last(after: tasks))
            let missing = graph.values(of: last).subtracting(tasks)
            if !missing.isEmpty {
                tasks = graph.outdated(
                    among: selected, named: named, valued: missing.union(wish.valued), files: files)
            }
            upToDate = plan.order.map(\.name).filter { selected.contains($0) && !tasks.contains($0) }
        } else if !wish.isOnly {
            tasks.formUnion(graph.values(of: last))
            tasks = graph.withValues(tasks)
        }
        tasks.formUnion(last)
    }
}
