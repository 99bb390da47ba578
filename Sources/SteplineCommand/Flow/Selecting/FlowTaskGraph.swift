/// The tasks of a file with what is before and after each, and whose values each takes.
struct FlowTaskGraph {
    /// Those that may come before others.
    private let order: [FlowTask]
    /// Those that run when all else has ended.
    private let last: [FlowTask]
    private let before: [String: [String]]
    private let after: [String: [String]]
    private let values: [String: Set<String>]

    init(_ plan: FlowPlan) {
        order = plan.order.filter { !$0.runs.isLast }
        last = plan.order.filter(\.runs.isLast)
        before = Dictionary(uniqueKeysWithValues: plan.order.map { ($0.name, $0.after.map(\.name)) })
        var after: [String: [String]] = [:]
        for task in order {
            for reference in task.after { after[reference.name, default: []].append(task.name) }
        }
        self.after = after
        values = Dictionary(uniqueKeysWithValues: plan.order.map { ($0.name, $0.usedTasks) })
    }

    /// The tasks that are asked for, with what is before them unless only they are meant.
    func wanted(_ wish: FlowSelection.Wish) -> Set<String> {
        guard !wish.isOnly else { return Set(wish.tasks) }
        var wanted = Set(order.map(\.name))
        if !wish.tasks.isEmpty { wanted = reached(from: wish.tasks, by: before) }
        if !wish.from.isEmpty { wanted.formIntersection(reached(from: wish.from, by: after)) }
        return wanted
    }

    /// The tasks, and those whose values they take.
    func withValues(_ tasks: Set<String>) -> Set<String> {
        reached(from: Array(tasks), by: values.mapValues(Array.init))
    }

    /// Throws if one takes the value of a task that isn't among them.
    func checkValues(of tasks: Set<String>) throws(UsageError) {
        for task in order + last where tasks.contains(task.name) {
            guard let missing = values[task.name]?.subtracting(tasks).min() else { continue }
            throw UsageError("--only: '\(task.name)' takes the value of '\(missing)', which isn't run")
        }
    }

    /// The tasks that come last behind some of these.
    func last(behind tasks: Set<String>) -> Set<String> {
        guard !tasks.isEmpty else { return [] }
        return Set(
            last.map(\.name).filter { name in
                let guarded = reached(from: before[name] ?? [], by: before)
                return guarded.isEmpty || !guarded.isDisjoint(with: tasks)
            })
    }

    /// The tasks whose values these take.
    func values(of tasks: Set<String>) -> Set<String> {
        tasks.reduce(into: []) { $0.formUnion(values[$1] ?? []) }
    }

    private func reached(from names: [String], by edges: [String: [String]]) -> Set<String> {
        var reached = Set(names)
        var toVisit = names
        while let name = toVisit.popLast() {
            for next in edges[name] ?? [] where reached.insert(next).inserted { toVisit.append(next) }
        }
        return reached
    }

    /// The tasks among these that must be run, as make has it.
    ///
    /// A task that says what it writes is run if a file is missing or older than what it is made of, if a task
    /// before it is run that makes something of that, or if its value is wanted. Any other is run for the tasks
    /// after it that are run, if it was named, and if nothing is after it.
    func outdated(
        among tasks: Set<String>, named: Set<String>, wanted valued: Set<String> = [], files: FlowFiles
    ) -> Set<String> {
        let wanted = order.filter { tasks.contains($0.name) }
        // Where no task says what it writes, no file need be looked at.
        guard wanted.contains(where: { !$0.writes.isEmpty }) else { return tasks }
        let byName = Dictionary(uniqueKeysWithValues: wanted.map { ($0.name, $0) })
        var marks = Marks()
        var newest: [String: FlowFiles.Age] = [:]
        for task in wanted {
            let sources =
                files.newestSource(of: task)
                + (before[task.name] ?? [])
                .compactMap { newest[$0] }
            if task.writes.isEmpty {
                newest[task.name] = sources.max()
                let isLast = !(after[task.name] ?? []).contains { byName[$0] != nil }
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
                // What is made of it is made anew, and it needs what is before it.
                marks.change(name)
                for other in before[name] ?? [] {
                    guard let task = byName[other] else { continue }
                    if task.writes.isEmpty || values[name]?.contains(other) == true { marks.run(other) }
                }
            } else if let name = marks.toChange.popLast() {
                for other in after[name] ?? [] {
                    guard let task = byName[other] else { continue }
                    if task.writes.isEmpty { marks.change(other) } else { marks.run(other) }
                }
            } else {
                return marks.running
            }
        }
    }

    /// Which tasks are to be run, and which make something else than before; each is gone on from once.
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
    /// What a task alone waits for, whose result its first step gets; a task that comes last gets none.
    var onlyValue: FlowReference? { after.count == 1 && !runs.isLast ? after.first : nil }

    /// The tasks before it whose values its steps and its condition take.
    var usedTasks: Set<String> {
        var names: Set<String> = []
        for reference in references {
            if case .task(let name) = reference.name { names.insert(name) }
        }
        for step in steps {
            if case .use(let reference) = step.verb { names.insert(reference.name) }
        }
        // What a task alone waits for is what its first step gets.
        if map == nil, let only = onlyValue, let first = steps.first {
            if !first.isSource || first.references.contains(where: { $0.name == .it }) {
                names.insert(only.name)
            }
        }
        return names.intersection(after.map(\.name))
    }
}
