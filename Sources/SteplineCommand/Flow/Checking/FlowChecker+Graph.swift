import SteplineSupport

extension FlowChecker {
    /// Reports tasks whose names collide with the list or an element of a map, which are tasks in durable runs.
    mutating func checkNames() {
        for map in file.tasks where map.map != nil {
            if let other = tasks[FlowListTask.name(ofList: map.name)] {
                issues.add(
                    .workflow, at: other.offset,
                    "\"\(other.name)\" is the name of the list of the map \"\(map.name)\": rename the task"
                )
            }
        }
        for task in file.tasks where task.name.ends(with: "]") {
            guard let bracket = task.name.utf8.firstIndex(of: UInt8(ascii: "[")),
                let map = tasks[String(task.name[..<bracket])], map.map != nil
            else { continue }
            issues.add(
                .workflow, at: task.offset,
                "\"\(task.name)\" is the name of an element of the map \"\(map.name)\": rename the task")
        }
    }

    mutating func checkPrerequisites(of task: FlowTask) {
        for reference in task.after where reference.name != task.name && tasks[reference.name] == nil {
            issues.add(
                .unknownTask, at: reference.offset, "there is no task \"\(reference.name)\"",
                hint: issues.guess(reference.name, among: file.tasks.map(\.name)))
        }
        for reference in task.after {
            guard let last = tasks[reference.name], last.runs.isLast, last.name != task.name else { continue }
            issues.add(
                .notAPrerequisite, at: reference.offset,
                "no task can wait for \"\(last.name)\", which runs \(last.runs.rawValue) after other tasks"
            )
        }
        for reference in task.allowFailure where !task.after.contains(where: { $0.name == reference.name }) {
            issues.add(
                .notAPrerequisite, at: reference.offset,
                "\"\(reference.name)\" is allowed to fail, but \"\(task.name)\" doesn't wait for it",
                hint: issues.guess(reference.name, among: task.after.map(\.name))
                    ?? "add \"\(reference.name)\" to after")
        }
    }

    /// Returns the tasks in topological order, and reports cycles; tasks on or after a cycle come last.
    mutating func inOrder() -> [FlowTask] {
        var waiting: [String: Int] = [:]
        var dependents: [String: [String]] = [:]
        for task in file.tasks {
            let known = task.after.filter { tasks[$0.name] != nil }
            waiting[task.name] = known.count
            for reference in known { dependents[reference.name, default: []].append(task.name) }
        }
        var ready = file.tasks.filter { waiting[$0.name] == 0 }.map(\.name)
        var order: [String] = []
        var next = 0
        while next < ready.count {
            let name = ready[next]
            next += 1
            order.append(name)
            for dependent in dependents[name] ?? [] {
                waiting[dependent, default: 0] -= 1
                if waiting[dependent] == 0 { ready.append(dependent) }
            }
        }
        let done = Set(order)
        let stuck = file.tasks.filter { !done.contains($0.name) }
        tellCycles(among: stuck)
        return order.compactMap { tasks[$0] } + stuck
    }

    /// The largest number of tasks in a reported cycle.
    private static let mostShown = 12

    /// Reports each cycle once, and the tasks after a cycle, which can never run.
    private mutating func tellCycles(among stuck: [FlowTask]) {
        let names = Set(stuck.map(\.name))
        var onCycle: Set<String> = []
        var visited: Set<String> = []
        for task in stuck where !visited.contains(task.name) {
            // Each of these tasks waits for another one of them, so following prerequisites must reach a cycle.
            var path: [FlowReference] = []
            var position: [String: Int] = [:]
            var current = FlowReference(name: task.name, offset: task.offset)
            while position[current.name] == nil, visited.insert(current.name).inserted {
                position[current.name] = path.count
                path.append(current)
                guard let next = tasks[current.name]?.after.first(where: { names.contains($0.name) }) else {
                    break
                }
                current = next
            }
            guard let start = position[current.name] else { continue }
            let cycle = path[start...].map(\.name)
            onCycle.formUnion(cycle)
            var shown = (cycle + [current.name]).map { "\"\($0)\"" }
            if shown.count > Self.mostShown {
                shown.replaceSubrange(Self.mostShown / 2..<shown.count - 2, with: ["…"])
            }
            let text = shown.joined(separator: " after ")
            issues.add(
                .cycle, at: current.offset,
                cycle.count == 1 ? "\(text): a task can't wait for itself" : "a cycle: \(text)")
        }
        for task in stuck where !onCycle.contains(task.name) {
            issues.add(.unreachable, at: task.offset, "\"\(task.name)\" can never run: it waits for a cycle")
        }
    }
}
