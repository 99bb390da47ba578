public import SteplineSupport
import SteplineWorkflow

/// All tasks of a run as one graph: those of the workflow that was asked for, then those of the workflows inside it.
///
/// A step comes after all that it follows, and after the task that its workflow runs in.
struct RunGraph {
    struct Step {
        let part: Int32
        let number: Int32
        /// The step around it; -1 if there is none.
        let around: Int32
        let isCondition: Bool
        let isCleanup: Bool
        /// Whether it runs a workflow, and has no body of its own.
        let isComposite: Bool
        /// Its prerequisites, in ``RunGraph/links``.
        let links: Range<Int32>
    }

    struct Link {
        let step: Int32
        let mayFail: Bool
    }

    private(set) var parts: [RunPart] = []
    private(set) var steps: ContiguousArray<Step> = []
    /// The steps of each part.
    private(set) var ranges: [Range<Int>] = []
    private(set) var links: ContiguousArray<Link> = []
    private(set) var names: ContiguousArray<String> = []
    /// Where the step of each name is.
    private(set) var places: [String: Int32] = [:]
    /// The workflows that steps run, where such a workflow is also the step's result.
    private(set) var subworkflows: [Int32: Workflow] = [:]
    /// What can't be kept as it is.
    private(set) var issues: [CheckIssue] = []

    init(_ workflow: Workflow) {
        var waiting: [Inside] = [Inside(workflow: workflow, prefix: "", around: -1, isTransparent: false)]
        var next = 0
        while next < waiting.count {
            add(waiting[next]) { waiting.append($0) }
            next += 1
        }
    }

    /// A workflow, and the task that runs it.
    private struct Inside {
        let workflow: Workflow
        let prefix: String
        let around: Int32
        let isTransparent: Bool
    }

    private mutating func add(_ one: Inside, inside: (Inside) -> Void) {
        let (workflow, prefix, around) = (one.workflow, one.prefix, one.around)
        let base = Int32(steps.count)
        let part = Int32(parts.count)
        var codecs = ResultCodecs()
        var facts: ContiguousArray<StepFacts> = []
        let count = workflow.taskCount
        facts.reserveCapacity(count)
        for number in 0..<count {
            let task = workflow.journalTask(number)
            let name = task.path(in: prefix)
            let place = Int32(steps.count)
            let first = Int32(links.count)
            for (prerequisite, mayFail) in zip(task.prerequisites, task.mayFail) {
                links.append(Link(step: base + Int32(prerequisite), mayFail: mayFail))
            }
            steps.append(
                Step(
                    part: part, number: Int32(number), around: around, isCondition: task.isCondition,
                    isCleanup: task.isCleanup, isComposite: task.subworkflow != nil,
                    links: first..<Int32(links.count)))
            names.append(name)
            let isPlain = task.subworkflow == nil || task.isTransparent
            let codec = isPlain ? codecs.codec(of: task) : nil
            let prerequisites = Digest(task) { facts[$0].name }
            facts.append(
                StepFacts(task, name: name, prerequisites: prerequisites, codec: codec, codecs: &codecs))
            check(task, name, codec, place)
            if task.isCached { checkCached(task, name, facts) }
            if let type = task.elementType, ResultCodec(of: type) == nil {
                found(.notCacheable, task, name, "its elements can't be known again: \(type) is not Codable")
            }
            if let inner = task.subworkflow {
                if !task.isTransparent { subworkflows[place] = inner }
                inside(
                    Inside(
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

    private func outer(_ place: Int32, _ isTransparent: Bool) -> RunPart.Around {
        let step = steps[Int(place)]
        return RunPart.Around(
            part: parts[Int(step.part)], number: Int(step.number), isTransparent: isTransparent)
    }

    private mutating func check(_ task: JournalTask, _ name: String, _ codec: ResultCodec?, _ place: Int32) {
        if places.updateValue(place, forKey: name) != nil {
            found(.duplicateName, task, name, "two tasks have the name, by which a run knows them again")
        }
        if name.utf8.count > 1024 { found(.nameTooLong, task, name, "its name is longer than 1 KB") }
        if let type = task.resultType, codec == nil, !task.isRecomputed,
            task.subworkflow == nil || task.isTransparent
        {
            found(.notStorable, task, name, "its result can't be kept: \(type) is not Codable", type: type)
        }
    }

    /// What keeps other runs from taking a result over.
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
                "it follows \(other), whose result isn't kept: nobody knows whether it is the same")
        }
    }

    private mutating func found(
        _ code: CheckIssue.Code, _ task: JournalTask, _ name: String, _ text: String,
        type: (any Sendable.Type)? = nil
    ) {
        issues.append(
            CheckIssue(code, subject: task.name, place: name, found: type.map { "\($0)" }, text))
    }

    func facts(_ place: Int) -> StepFacts { parts[Int(steps[place].part)].facts(Int(steps[place].number)) }
}

extension CheckIssue.Code {
    /// A result is of a type that can't be kept.
    public static let notStorable = CheckIssue.Code("notStorable")
    /// The result of a task can't be taken over by other runs, though its options say so.
    public static let notCacheable = CheckIssue.Code("notCacheable")
    /// A name is too long to be kept.
    public static let nameTooLong = CheckIssue.Code("nameTooLong")
}
