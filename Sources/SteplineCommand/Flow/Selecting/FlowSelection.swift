/// Which tasks of a file are to be run: those asked for with what they need, without what is up to date.
struct FlowSelection {
    /// What a user has asked for.
    struct Wish {
        /// The tasks that are named; all of them if none is.
        var tasks: [String] = []
        /// Only these tasks and what comes after them.
        var from: [String] = []
        /// Only the named tasks, without what they need.
        var isOnly = false
        /// Whether tasks are left out whose files are newer than what they are made of.
        var skipsUpToDate = true

        var isForAll: Bool { tasks.isEmpty && from.isEmpty }
    }

    /// The tasks to run.
    private(set) var tasks: Set<String>
    /// The tasks that are left out as their files are up to date, in the order of the graph.
    private(set) var upToDate: [String] = []

    /// Throws a `UsageError` for a task that isn't there, or whose value would be missing.
    init(_ wish: Wish, of plan: FlowPlan, files: FlowFiles) throws {
        let graph = FlowTaskGraph(plan)
        for name in wish.tasks + wish.from where plan.file.task(name) == nil {
            throw UsageError(
                "\(plan.setting.source.name) has no task '\(name)'"
                    + Guess.question(name, among: plan.file.tasks.map(\.name)))
        }
        guard !wish.isOnly || (!wish.tasks.isEmpty && wish.from.isEmpty) else {
            throw UsageError("--only wants the names of tasks, and no --from")
        }
        tasks = graph.wanted(wish)
        if wish.isOnly {
            try graph.checkValues(of: tasks)
        } else {
            // What is before --from is run only for its value.
            tasks = graph.withValues(tasks)
        }
        let named = Set(wish.tasks)
        // Those that come last are run for what is run, and nothing is run for them but what they take the value of.
        let lastNamed = named.union(wish.from).filter { plan.file.task($0)?.runs.isLast == true }
        tasks.subtract(lastNamed)
        var last = lastNamed.union(wish.isOnly ? [] : graph.last(behind: tasks))
        if wish.skipsUpToDate {
            let wanted = tasks
            tasks = graph.outdated(among: wanted, named: named, files: files)
            last = lastNamed.union(graph.last(behind: tasks))
            let missing = graph.values(of: last).subtracting(tasks)
            if !missing.isEmpty {
                tasks = graph.outdated(among: wanted, named: named, wanted: missing, files: files)
            }
            upToDate = plan.order.map(\.name).filter { wanted.contains($0) && !tasks.contains($0) }
        } else if !wish.isOnly {
            tasks.formUnion(graph.values(of: last))
            tasks = graph.withValues(tasks)
        }
        tasks.formUnion(last)
    }
}
