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
        guard let fields = fields(member.value, "a task", .task) else {
            return FlowTask(name: member.key, offset: member.offset)
        }
        var meaning = FlowMeaning()
        meaning.add(member.value, without: Self.withoutMeaning)
        let runs: FlowRuns = word("runs", of: fields) ?? .onSuccess
        if runs.isLast {
            refuse(["map", "allowFailure"], of: fields, "a task that runs \(runs.rawValue)")
        }
        if fields["flow"] != nil {
            refuse(["steps", "runs"], of: fields, "a task that runs a flow")
        } else if fields.lacks("steps"), fields.lacks("flow") {
            issues.add(
                .missingKey, at: member.offset, "the task has no steps",
                hint: "add steps: [ … ], or flow: \"file\"")
        }
        let task = FlowTask(
            name: member.key, offset: member.offset,
            description: fields["description"].flatMap { text($0, "description")?.string },
            meaning: meaning.value, runs: runs,
            when: fields["when"].flatMap { expression($0, "when") },
            after: fields["after"].map { references($0, "after") } ?? [],
            allowFailure: fields["allowFailure"].map { references($0, "allowFailure") } ?? [],
            map: fields["map"].map { map($0, fields) },
            reads: fields["reads"].map { paths($0, "reads") } ?? [],
            writes: fields["writes"].map { paths($0, "writes") } ?? [],
            policies: policies(fields),
            steps: fields["flow"] == nil ? fields["steps"].map { steps($0) } ?? [] : [],
            flow: inclusion(fields))
        let isBroken = task.steps.contains { if case .broken = $0.verb { true } else { false } }
        if task.map != nil, !task.grows, !isBroken {
            refuse(["most", "depth"], of: fields, "a task without a step grow")
        }
        return task
    }

    /// The keys that only decide when and how often a task runs.
    private static let withoutMeaning = Set(
        FlowKeys.policies.names + ["description", "concurrency", "most", "depth", "after"])

    /// Reports keys that have no meaning in this kind of task.
    private mutating func refuse(_ keys: [String], of fields: FlowFields, _ kind: String) {
        for key in keys {
            guard let stray = fields.members.first(where: { $0.key == key }) else { continue }
            issues.add(.wrongValue, at: stray.offset, "\"\(key)\" has no meaning in \(kind)")
        }
    }

    private mutating func map(_ node: FlowNode, _ fields: FlowFields) -> FlowMap {
        // Use an empty list for an invalid one, so that `item` is still known.
        let list = literal(node) ?? .list([])
        checkCombined(node)
        return FlowMap(
            list: list, offset: node.offset, limit: integer("concurrency", of: fields),
            key: fields["key"].flatMap { expression($0, "key") },
            except: fields["except"].flatMap { expression($0, "except") },
            skipsFailures: truth("skipFailures", of: fields) ?? false,
            most: integer("most", of: fields), depth: integer("depth", of: fields))
    }

    private mutating func steps(_ node: FlowNode) -> [FlowStep] {
        let nodes = list(node, "steps") ?? []
        if nodes.isEmpty, case .list = node.value {
            issues.add(.missingKey, at: node.offset, "the task has no steps")
        }
        return nodes.map { step($0).adding(variables) }
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
        if let node = fields["pool"], let name = text(node, "pool")?.string {
            policies.pools = [(FlowReference(name: name, offset: node.offset), 1)]
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
