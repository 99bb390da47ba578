import SteplineJSON
import SteplineSupport
import SteplineWorkflow

extension FlowReader {
    mutating func tasks(_ node: FlowNode) -> [FlowTask] {
        guard case .object(let members) = node.value else {
            wrong(node, "tasks is an object, with a task under each name")
            return []
        }
        if members.isEmpty { issues.add(.missingKey, at: node.offset, "there are no tasks") }
        var tasks: [FlowTask] = []
        var names: Set<String> = []
        for member in members {
            if member.key.isEmpty || member.key.unicodeScalars.contains(where: { $0.value < 0x20 }) {
                issues.add(.wrongValue, at: member.offset, "a task needs a name, in one line")
            }
            // Keep the first of duplicate names, which were reported already.
            guard names.insert(member.key).inserted else { continue }
            tasks.append(task(member))
        }
        return tasks
    }

    private mutating func task(_ member: FlowMember) -> FlowTask {
        var task = FlowTask(name: member.key, offset: member.offset)
        guard let fields = fields(member.value, "a task", .task) else { return task }
        var meaning = FlowMeaning()
        meaning.add(
            member.value, without: Set(FlowKeys.policies.names + ["description", "concurrency", "after"]))
        task.meaning = meaning.value
        task.description = fields["description"].flatMap { text($0, "description")?.string }
        task.runs = word("runs", of: fields) ?? .onSuccess
        if task.runs.isLast {
            for key in ["map", "allowFailure"] {
                guard let stray = fields.members.first(where: { $0.key == key }) else { continue }
                issues.add(
                    .wrongValue, at: stray.offset,
                    "\"\(key)\" has no meaning in a task that runs \(task.runs.rawValue)")
            }
        }
        task.when = fields["when"].flatMap { expression($0, "when") }
        if let node = fields["after"] { task.after = references(node, "after") }
        if let node = fields["allowFailure"] { task.allowFailure = references(node, "allowFailure") }
        if let node = fields["reads"] { task.reads = paths(node, "reads") }
        if let node = fields["writes"] { task.writes = paths(node, "writes") }
        task.policies = policies(fields)
        if let node = fields["map"] {
            // Use an empty list for an invalid one, so that `item` is still known.
            var map: FlowMap? = FlowMap(list: literal(node) ?? .list([]), offset: node.offset)
            checkCombined(node)
            map?.key = fields["key"].flatMap { expression($0, "key") }
            map?.except = fields["except"].flatMap { expression($0, "except") }
            map?.limit = integer("concurrency", of: fields)
            map?.skipsFailures = truth("skipFailures", of: fields) ?? false
            task.map = map
        }
        task.flow = inclusion(fields)
        if fields["flow"] != nil {
            for key in ["steps", "runs"] {
                guard let stray = fields.members.first(where: { $0.key == key }) else { continue }
                issues.add(
                    .wrongValue, at: stray.offset, "\"\(key)\" has no meaning in a task that runs a flow")
            }
        } else if let node = fields["steps"] {
            let nodes = list(node, "steps") ?? []
            if nodes.isEmpty, case .list = node.value {
                issues.add(.missingKey, at: node.offset, "the task has no steps")
            }
            task.steps = nodes.map { step($0) }
        } else if fields.lacks("steps"), fields.lacks("flow") {
            issues.add(
                .missingKey, at: member.offset, "the task has no steps",
                hint: "add steps: [ … ], or flow: \"file\"")
        }
        return task
    }

    /// Checks the lists that a map combines.
    private mutating func checkCombined(_ node: FlowNode) {
        guard case .object = node.value else { return }
        let members = members(node, "map")
        if members.isEmpty { issues.add(.wrongValue, at: node.offset, "map has no lists to combine") }
        for member in members {
            switch literal(member.value) {
            case .list?, nil: continue
            case .text(let template)? where template.onlyFormula != nil: continue
            case .plain(let json)? where json.kind == .array: continue
            default:
                issues.add(
                    .wrongType, at: member.value.offset,
                    "map expects a list under \"\(member.key)\", not \(member.value.json.article)")
            }
        }
    }

    // MARK: Policies

    mutating func policies(_ fields: FlowFields) -> FlowPolicies {
        var policies = FlowPolicies()
        policies.retry = fields["retry"].flatMap { retry($0) }
        policies.timeout = fields["timeout"].flatMap { timeLimit($0, "timeout") }
        policies.deadline = fields["deadline"].flatMap { timeLimit($0, "deadline") }
        policies.priority = choice("priority", of: fields).flatMap { name in
            Priority.allCases.first { "\($0)" == name }
        }
        if let name = fields["pool"].flatMap({ text($0, "pool") }) {
            policies.pools = [(FlowReference(name: name.string, offset: name.start - 1), 1)]
        }
        if let node = fields["pools"] {
            for member in members(node, "pools") {
                guard let weight = integer(member.value, "a weight", FlowType.capacity) else { continue }
                policies.pools.append((FlowReference(name: member.key, offset: member.offset), weight))
            }
        }
        return policies
    }

    /// Parses a number of retries, or an object with the details.
    mutating func retry(_ node: FlowNode) -> RetryPolicy? {
        if case .number = node.value {
            return integer(node, "retry", FlowType.retries).map { .exponential(attempts: $0 + 1) }
        }
        guard case .object = node.value else {
            wrong(node, "retry is a number of retries or an object")
            return nil
        }
        guard let fields = fields(node, "retry", .retry) else { return nil }
        let retries = integer("retries", of: fields) ?? 2
        let base = fields["base"].flatMap { duration($0, "base") } ?? .milliseconds(500)
        let factor = number("factor", of: fields) ?? 2
        let cap = fields["cap"].flatMap { duration($0, "cap") } ?? .seconds(60)
        let jitters: [String: RetryJitter] = ["none": .none, "equal": .equal, "full": .full]
        let jitter = choice("jitter", of: fields)
        let isForAll = choice("failures", of: fields) == "all"
        return .exponential(
            attempts: retries + 1, base: base, factor: factor, cap: cap,
            jitter: jitter.flatMap { jitters[$0] } ?? .full
        ) { error in
            isForAll ? !(error is CancellationError) : RetryPolicy.isTransient(error)
        }
    }
}
