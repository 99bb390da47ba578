public import SteplineSupport
import SteplineWorkflow

/// All tasks of a run as one graph: the tasks of the main workflow, then those of nested workflows.
///
/// The graph is built once, before the run opens, and doesn't change. Elements of maps aren't in it: their tasks are
/// created when the list is known; see `KeptElements`. All tasks lie in flat arrays indexed by step, so that a workflow
/// with a million tasks needs few allocations.
///
/// **Order.** A step comes after all its prerequisites and after the task that contains its workflow. A single
/// pass over `steps` can therefore decide each step from earlier decisions.
///
/// **Identity.** A step is known by its name in every process. A duplicate name is an issue, found here.
struct RunGraph {
    struct Step {
        let part: Int32
        let number: Int32
        /// The step that contains this step's workflow; -1 at the top level.
        let around: Int32
        let isCondition: Bool
        let isCleanup: Bool
        /// Whether the step runs a workflow and has no body of its own.
        let isComposite: Bool
        /// The range of the prerequisites in ``RunGraph/links``.
        let links: Range<Int32>
    }

    struct Link {
        let step: Int32
        let mayFail: Bool
    }

    private(set) var parts: [RunPart] = []  // outermost first
    private(set) var steps: ContiguousArray<Step> = []
    /// The range of steps of each part.
    private(set) var ranges: [Range<Int>] = []
    private(set) var links: ContiguousArray<Link> = []  // prerequisites of all steps, see `Step.links`
    private(set) var names: ContiguousArray<String> = []
    /// The index of the step with each name.
    private(set) var places: [String: Int32] = [:]
    /// The workflows run by steps whose result is the workflow itself (subworkflows, not maps).
    private(set) var subworkflows: [Int32: Workflow] = [:]
    /// The part that each step runs.
    private var inner: [Int32: Int] = [:]
    /// The properties that prevent a durable run.
    private(set) var issues: [CheckIssue] = []

    init(_ workflow: Workflow) {
        // Breadth first: a nested workflow is added after the workflow that contains its task.
        var waiting: [Inside] = [Inside(workflow: workflow, prefix: "", around: -1, isTransparent: false)]
        var next = 0
        while next < waiting.count {
            add(waiting[next]) { waiting.append($0) }
            next += 1
        }
    }

    /// A workflow and the task that runs it.
    private struct Inside {
        let workflow: Workflow
        let prefix: String
        let around: Int32
        let isTransparent: Bool
    }

    private mutating func add(_ one: Inside, inside: (Inside) -> Void) {
        let (workflow, prefix, around) = (one.workflow, one.prefix, one.around)
        // Task numbers begin at 0 in each workflow: `base` makes them indices of `steps`.
        let base = Int32(steps.count)
        let part = Int32(parts.count)
        if around >= 0 { inner[around] = parts.count }
        var codecs = ResultCodecs()
        var keys: [String: ElementKeys?] = [:]
        var facts: ContiguousArray<StepFacts> = []
        let count = workflow.taskCount
        facts.reserveCapacity(count)
        // For the outermost workflow only: each further reservation of an exact size would copy what is there.
        if parts.isEmpty {
            steps.reserveCapacity(count)
            names.reserveCapacity(count)
            places.reserveCapacity(count)
        }
        for number in 0..<count {
            let task = workflow.journalTask(number)
            let elementName = task.element.flatMap { Self.name(of: $0, &keys) }
            let name = JournalTask.path(of: elementName ?? task.name, in: prefix)
            let place = Int32(steps.count)
            // The links of one step are contiguous.
            let first = Int32(links.count)
            // Prerequisites precede their task in the workflow, so the index is known already.
            for (prerequisite, mayFail) in zip(task.prerequisites, task.mayFail) {
                links.append(Link(step: base + Int32(prerequisite), mayFail: mayFail))
            }
            steps.append(
                Step(
                    part: part, number: Int32(number), around: around, isCondition: task.isCondition,
                    isCleanup: task.isCleanup, isComposite: task.subworkflow != nil,
                    links: first..<Int32(links.count)))
            names.append(name)
            // A subworkflow's result is a workflow, which isn't stored.
            let isPlain = task.subworkflow == nil || task.isTransparent
            let codec = isPlain ? codecs.codec(of: task) : nil
            let prerequisites = Digest(task) { facts[$0].name }
            facts.append(
                StepFacts(
                    task, name: name, isNamedByContent: elementName != nil, prerequisites: prerequisites,
                    codec: codec, codecs: &codecs))
            check(task, name, codec, place)
            if task.isCached { checkCached(task, name, facts) }
            if let type = task.mapped?.namedByContent, ResultCodec(of: type) == nil {
                found(
                    .notStorable, task, name, "its elements have no keys, and \(type) is not Codable",
                    type: type)
            }
            // A cache key includes the element's bytes.
            if let type = task.elementType, ResultCodec(of: type) == nil {
                found(.notCacheable, task, name, "its elements can't be known again: \(type) is not Codable")
            }
            if let inner = task.subworkflow {
                if !task.isTransparent { subworkflows[place] = inner }
                inside(
                    Inside(
                        // Elements of a map carry the map's own prefix: `map[element]`.
                        workflow: inner, prefix: task.isTransparent ? prefix : name, around: place,
                        isTransparent: task.isTransparent))
            }
        }
        ranges.append(Int(base)..<steps.count)
        parts.append(
            RunPart(
                workflow, prefix: prefix, around: around < 0 ? nil : outer(around, one.isTransparent),
                facts: facts, codecs: codecs))
    }

    /// Returns the name of an element's step; nil if its task's name stays, with the element's place.
    private static func name(of element: ListedElement, _ keys: inout [String: ElementKeys?]) -> String? {
        guard let key = try? keys[element.map, default: ElementKeys(of: element.type)]?.key(of: element.value)
        else { return nil }
        return "\(element.map)[\(key)]"
    }

    private func outer(_ place: Int32, _ isTransparent: Bool) -> RunPart.Around {
        let step = steps[Int(place)]
        return RunPart.Around(
            part: parts[Int(step.part)], number: Int(step.number), isTransparent: isTransparent)
    }

    private mutating func check(_ task: JournalTask, _ name: String, _ codec: ResultCodec?, _ place: Int32) {
        if places.updateValue(place, forKey: name) != nil {
            found(.duplicateName, task, name, "two tasks have the name, by which a run knows them again")
        }
        if name.utf8.count > 1024 { found(.nameTooLong, task, name, "its name is longer than 1 KiB") }
        if let type = task.growth?.found, ResultCodec(of: type) == nil {
            found(
                .notStorable, task, name, "its elements can't be kept: \(type) is not Codable", type: type)
        }
        // A recomputed result isn't stored, and a subworkflow has none.
        if let type = task.resultType, codec == nil, !task.isRecomputed,
            task.subworkflow == nil || task.isTransparent
        {
            found(.notStorable, task, name, "its result can't be kept: \(type) is not Codable", type: type)
        }
    }

    /// Finds the reasons why other runs can't reuse a result.
    private mutating func checkCached(
        _ task: JournalTask, _ name: String, _ facts: ContiguousArray<StepFacts>
    ) {
        if task.subworkflow != nil || task.isCondition {
            found(.notCacheable, task, name, "it has no result of its own that could be taken over")
        } else if task.isRecomputed {
            found(.notCacheable, task, name, "its result isn't kept, so that it can't be taken over")
        }
        for prerequisite in task.prerequisites where !facts[prerequisite].canBeCompared {
            let other = facts[prerequisite].name
            found(
                .notCacheable, task, name,
                "it follows \(other), whose result isn't kept, so equal inputs can't be proven")
        }
    }

    private mutating func found(
        _ code: CheckIssue.Code, _ task: JournalTask, _ name: String, _ text: String,
        type: (any Sendable.Type)? = nil
    ) {
        issues.append(
            CheckIssue(code, subject: task.name, place: name, found: type.map { "\($0)" }, text))
    }

    /// Returns the steps that are inside a step; nil if it runs no workflow, or an empty one.
    func range(inside place: Int) -> Range<Int>? {
        inner[Int32(place)].map { ranges[$0] }.flatMap { $0.isEmpty ? nil : $0 }
    }

    func facts(_ place: Int) -> StepFacts { parts[Int(steps[place].part)].facts(Int(steps[place].number)) }
}

extension CheckIssue.Code {
    /// The type of a result can't be stored.
    public static let notStorable = CheckIssue.Code("notStorable")
    /// Other runs can't reuse the result of a task although its options ask for that.
    public static let notCacheable = CheckIssue.Code("notCacheable")
    /// The name is too long to be stored.
    public static let nameTooLong = CheckIssue.Code("nameTooLong")
}
