import SteplineRunsTesting
import SteplineSupport
import SteplineWorkflow

/// Tasks that contain other tasks: maps and subworkflows.
extension RandomGraph {
    mutating func addMap(_ spot: Spot) throws {
        let (name, number) = (spot.name, spot.number)
        // Numbers from 0: a durable run names the elements by content, and a plain one by place.
        let sizes = try workflow.map(name, over: 0..<3, options: options(of: number)) { [began] element in
            began("\(name)[\(element)]")
            return (element + 1) * number
        }
        made.append(try workflow.add("\(name) sum", after: sizes) { $0.reduce(0, +) })
    }

    mutating func addKeyedMap(_ spot: Spot) throws {
        let (name, number) = (spot.name, spot.number)
        let list = try workflow.add("\(name) list", afterAll: spot.before) { [$0.count, 7, 9] }
        let sizes = try workflow.map(name, over: list, options: options(of: number), key: { "k\($0)" }) {
            [began] element in
            began("\(name)[k\(element)]")
            return element * number
        }
        made.append(try workflow.add("\(name) sum", after: sizes) { $0.reduce(0, +) })
    }

    /// Adds a map whose elements find further ones, some of them twice.
    mutating func addGrowingMap(_ spot: Spot) throws {
        let (name, number) = (spot.name, spot.number)
        let sizes = try workflow.grow(name, from: [1], key: { "k\($0)" }, options: options(of: number)) {
            [began] element, more in
            began("\(name)[k\(element)]")
            more.add((2 * element...2 * element + 2).filter { $0 < 7 })
            return element * number
        }
        // The order of the elements depends on timing.
        made.append(try workflow.add("\(name) sum", after: sizes) { $0.count + number })
    }

    /// Adds a map over the result of a task, with a limit, sometimes with failing elements.
    mutating func addLimitedMap(_ spot: Spot) throws {
        let (name, number) = (spot.name, spot.number)
        let list = try workflow.add("\(name) list", afterAll: spot.before) { Array(0..<(4 + $0.count)) }
        let failing = random.below(2) == 0 ? random.below(4) : -1
        let sizes = try workflow.map(
            name, over: list, limit: 1 + random.below(2),
            options: TaskOptions(retry: .quick(1 + random.below(2))), key: { "k\($0)" }
        ) { [began] element in
            began("\(name)[k\(element)]")
            if element == failing { throw Refused("\(name)[k\(element)]") }
            return element * number
        }
        made.append(
            try workflow.add("\(name) sum", after: sizes.allowingFailure) { sizes in
                (try? sizes.get())?.reduce(0, +) ?? -number
            })
    }

    /// Adds a map over a constant list, some of whose elements fail.
    mutating func addFailingMap(_ spot: Spot) throws {
        let (name, number) = (spot.name, spot.number)
        let sizes = try workflow.map(
            name, over: 0..<4, limit: 1 + random.below(3), options: TaskOptions(retry: .quick(2))
        ) { element in
            if element == 2 { throw Refused("\(name)[\(element)]") }
            return element * number
        }
        made.append(
            try workflow.add("\(name) sum", after: sizes.allowingFailure) { sizes in
                (try? sizes.get())?.reduce(0, +) ?? -number
            })
    }

    mutating func addSubworkflow(_ spot: Spot, of count: Int) throws {
        let inner = Workflow("inner\(spot.number)", options: WorkflowOptions(grace: .zero))
        try fill(inner, count, prefix: "\(spot.number + 1)", .steady)
        let task = SubworkflowTask(name: spot.name, subworkflow: inner)
        try workflow.add(task, prerequisites: spot.before.map(\.task))
    }

    /// Adds a subworkflow with all kinds of tasks, perhaps nested, and a dependent.
    mutating func addNestedSubworkflow(_ spot: Spot) throws {
        guard level < 2 else { return try addPlain(spot) }
        var options = WorkflowOptions(grace: .zero)
        if random.below(2) == 0 { options.maximumConcurrency = 2 }
        let inner = Workflow("inner\(spot.number)", options: options)
        try fill(inner, 5, prefix: "\(prefix)_\(spot.number)", variety)
        let task = SubworkflowTask(name: spot.name, subworkflow: inner)
        try workflow.add(task, prerequisites: spot.before.map(\.task))
        made.append(
            try workflow.add("\(spot.name) after", following: [TaskRef<Workflow>(task)]) { spot.number })
    }

    private mutating func fill(
        _ inner: Workflow, _ count: Int, prefix: String, _ variety: RandomRun.Variety
    ) throws {
        var graph = RandomGraph(inner, variety, version, random, level: level + 1, prefix: prefix, began)
        try graph.fill(count)
        random = graph.random
    }

    /// Adds a subworkflow whose last task fails, which fails the subworkflow.
    mutating func addFailingSubworkflow(_ spot: Spot) throws {
        let (_, _, around) = try addEndingSubworkflow(spot)
        made.append(
            try workflow.add("\(spot.name) after", after: around.allowingFailure) { result in
                (try? result.get()) == nil ? -spot.number : spot.number
            })
    }

    /// Adds a subworkflow whose last task is cancelled, which cancels the subworkflow.
    mutating func addCancelledSubworkflow(_ spot: Spot) throws {
        guard level == 0 else { return try addPlain(spot) }
        let (first, last, around) = try addEndingSubworkflow(spot)
        _ = first.onSuccess { [weak last] _ in last?.cancel() }
        try workflow.add("\(spot.name) after", following: [around]) { 1 }
    }

    private func addEndingSubworkflow(_ spot: Spot) throws -> (
        first: WorkflowTask, last: WorkflowTask, around: TaskRef<Workflow>
    ) {
        let name = spot.name
        let options = WorkflowOptions(onFailure: .cancelOthers, grace: .zero)
        let inner = Workflow("inner\(spot.number)", options: options)
        let first = try inner.add("first") { [began] in
            began("\(name)/first")
            return 1
        }
        let last = try inner.add("last", after: first) { _ -> Int in throw Refused("\(name)/last") }
        try inner.add("never", after: last) { $0 }
        let task = SubworkflowTask(name: name, subworkflow: inner)
        try workflow.add(task, prerequisites: spot.before.map(\.task))
        return (first.task, last.task, try TaskRef(task))
    }
}
