/// The tasks of a file with their prerequisites, dependents and needed values.
struct FlowTaskGraph {
    /// The tasks that can be prerequisites.
    private let order: [FlowTask]
    /// The tasks that run last.
    private let last: [FlowTask]
    private let byName: [String: FlowTask]
    private let after: [String: [String]]

    init(_ plan: FlowPlan) {
        order = plan.order.filter { !$0.runs.isLast }
        last = plan.order.filter(\.runs.isLast)
        byName = Dictionary(uniqueKeysWithValues: plan.order.map { ($0.name, $0) })
        var after: [String: [String]] = [:]
        for task in order {
            for reference in task.after { after[reference.name, default: []].append(task.name) }
        }
        self.after = after
    }

    /// Returns the task of a name.
    func task(_ name: String) -> FlowTask? { byName[name] }

    /// Returns the requested tasks, with their prerequisites unless excluded.
    func selected(_ wish: FlowSelection.Wish) -> Set<String> {
        guard !wish.isOnly else { return Set(wish.tasks) }
        var selected = Set(order.map(\.name))
        if !wish.tasks.isEmpty { selected = reached(from: wish.tasks, by: before) }
        if !wish.from.isEmpty { selected.formIntersection(reached(from: wish.from) { after[$0] ?? [] }) }
        return selected
    }

    /// Returns the tasks and those whose values they need.
    func withValues(_ tasks: Set<String>) -> Set<String> {
        // No task needs the value of one that runs last.
        guard order.contains(where: { !tasks.contains($0.name) }) else { return tasks }
        return reached(from: Array(tasks)) { Array(values(of: $0)) }
    }

    /// Returns the tasks of a set that no other task of the set waits for, in topological order.
    func ends(among tasks: Set<String>) -> [String] {
        order.map(\.name).filter { name in
            tasks.contains(name) && !(after[name] ?? []).contains { tasks.contains($0) }
        }
    }

    /// Throws if a task needs the value of a task outside the set.
    func checkValues(of tasks: Set<String>) throws(UsageError) {
        for task in order + last where tasks.contains(task.name) {
            guard let missing = task.usedTasks.subtracting(tasks).min() else { continue }
            throw UsageError("--only: '\(task.name)' takes the value of '\(missing)', which isn't run")
        }
    }

    /// Returns the tasks that run last after some of the given tasks.
    func last(after tasks: Set<String>) -> Set<String> {
        guard !tasks.isEmpty else { return [] }
        return Set(
            last.map(\.name).filter { name in
                let guarded = reached(from: before(name), by: before)
                return guarded.isEmpty || !guarded.isDisjoint(with: tasks)
            })
    }

    /// Returns the tasks whose values the given tasks need.
    func values(of tasks: Set<String>) -> Set<String> {
        tasks.reduce(into: []) { $0.formUnion(values(of: $1)) }
    }

    private func before(_ name: String) -> [String] { byName[name]?.after.map(\.name) ?? [] }

    private func values(of name: String) -> Set<String> { byName[name]?.usedTasks ?? [] }

    private func reached(from names: [String], by edges: (String) -> [String]) -> Set<String> {
        var reached = Set(names)
        var toVisit = names
        while let name = toVisit.popLast() {
            for next in edges(name) where reached.insert(next).inserted { toVisit.append(next) }
        }
        return reached
    }

    /// Returns the tasks that must run, by the rules of make.
    ///
    /// A task with declared outputs runs if one is missing or older than an input, if a prerequisite that provides an
    /// input runs, or if its value is needed. Any other task runs if a dependent runs, if it was named, or if it has no
    /// dependents.
    func outdated(
        among tasks: Set<String>, named: Set<String>, valued: Set<String> = [], files: FlowFiles
    ) -> Set<String> {
        let selected = order.filter { tasks.contains($0.name) }
        // Without declared outputs no file needs a check.
        guard selected.contains(where: { !$0.writes.isEmpty }) else { return tasks }
        let chosen = Dictionary(uniqueKeysWithValues: selected.map { ($0.name, $0) })
        var marks = Marks()
        var newest: [String: FlowFiles.Age] = [:]
        for task in selected {
            let sources = files.newestSource(of: task) + task.after.compactMap { newest[$0.name] }
            if task.writes.isEmpty {
                newest[task.name] = sources.max()
                let isLast = !(after[task.name] ?? []).contains { chosen[$0] != nil }
                if isLast || named.contains(task.name) { marks.run(task.name) }
            } else {
                let made = files.ages(of: task.writes)
                newest[task.name] = made.max()
                let isOld = made.contains(.missing) || (sources.max() ?? .never) > (made.min() ?? .never)
                if isOld { marks.run(task.name) }
            }
        }
        for name in valued where tasks.contains(name) { marks.run(name) }
        while true {
            if let name = marks.toRun.popLast() {
                // Its dependents are out of date, and its prerequisites are needed.
                marks.change(name)
                let needed = values(of: name)
                for other in before(name) {
                    guard let task = chosen[other] else { continue }
                    if task.writes.isEmpty || needed.contains(other) { marks.run(other) }
                }
            } else if let name = marks.toChange.popLast() {
                for other in after[name] ?? [] {
                    guard let task = chosen[other] else { continue }
                    if task.writes.isEmpty { marks.change(other) } else { marks.run(other) }
                }
            } else {
                return marks.running
            }
        }
    }

    /// The tasks that must run and those whose output changes; each is processed once.
    private struct Marks {
        private(set) var running: Set<String> = []
        private var changed: Set<String> = []
        var toRun: [String] = []
        var toChange: [String] = []

        mutating func run(_ name: String) {
            if running.insert(name).inserted { toRun.append(name) }
        }

        mutating func change(_ name: String) {
            if changed.insert(name).inserted { toChange.append(name) }
        }
    }
}

extension FlowTask {
    /// The first prerequisite, whose result is the first step's input; nil for tasks that run last.
    var firstValue: FlowReference? { runs.isLast ? nil : after.first }

    /// The prerequisites whose values the steps and the condition use.
    var usedTasks: Set<String> {
        var names: Set<String> = []
        for reference in references {
            if case .task(let name) = reference.name { names.insert(name) }
        }
        for step in steps {
            if case .use(let reference) = step.verb { names.insert(reference.name) }
        }
        // The first step implicitly uses the value of the first prerequisite.
        if map == nil, let value = firstValue, let first = steps.first {
            if !first.isSource || first.references.contains(where: { $0.name == .it }) {
                names.insert(value.name)
            }
        }
        return names.intersection(after.map(\.name))
    }
}
