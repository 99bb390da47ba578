public import SteplineSupport

extension CheckIssue.Code {
    /// A weight is above what a pool has.
    public static let poolTooSmall = CheckIssue.Code("poolTooSmall")
    /// A task needs a pool whose places a task around it holds.
    public static let poolHeldAround = CheckIssue.Code("poolHeldAround")
    /// An option is out of its range.
    public static let invalidOption = CheckIssue.Code("invalidOption")
    /// A required prerequisite key was not given.
    public static let missingPrerequisite = CheckIssue.Code("missingPrerequisite")
    /// A name is taken that must be unique.
    public static let duplicateName = CheckIssue.Code("duplicateName")
    /// The task can't run, below one that has failed or was cancelled.
    public static let unreachable = CheckIssue.Code("unreachable")
    /// A subworkflow without tasks.
    public static let emptySubworkflow = CheckIssue.Code("emptySubworkflow")
    /// The task's own content has a mistake.
    public static let content = CheckIssue.Code("content")
    /// A deadline is shorter than a time-out.
    public static let shortDeadline = CheckIssue.Code("shortDeadline")
    /// A fault of the options that nothing in the workflow is meant by.
    public static let idleFault = CheckIssue.Code("idleFault")
}

extension Workflow {
    /// Finds every mistake that can be seen before the run, all at once; runs nothing.
    ///
    /// `start()` and `run()` make this check and fail with its errors; warnings stop nothing.
    public func check() -> [CheckIssue] {
        var walk = CheckWalk()
        walk.enter(self)
        while let (workflow, number) = walk.next() { workflow.check(number, &walk) }
        return core.faults.isEmpty ? walk.issues : walk.issues + idleFaults()
    }

    func issues(of number: Int32) -> [CheckIssue] {
        guard core.look({ $0.isSuspect(number) }) else { return [] }
        var walk = CheckWalk()
        check(number, &walk)
        while let (workflow, number) = walk.next() { workflow.check(number, &walk) }
        return walk.issues
    }

    /// Finds what is wrong with one task; asked outside the lock, as it asks the user's code.
    private func check(_ number: Int32, _ walk: inout CheckWalk) {
        let (task, options, keys, place) = core.look { machine in
            (
                machine.object(number), machine.rare.own[number]?.options,
                machine.rare.keys[number] ?? [:], machine.taskName(number)
            )
        }
        var issues = options.map { self.issues(in: $0) } ?? []
        let own = options?.pools ?? [:]
        let wanted = own.merging((task as? SubworkflowTask)?.placesOfElements ?? [:], uniquingKeysWith: max)
        for (pool, weight) in wanted {
            if let issue = walk.issue(of: pool, weight) { issues.append(issue) }
        }
        if let task {
            for key in task.requiredPrerequisiteKeys.subtracting(keys.keys) {
                issues.append(
                    CheckIssue(
                        .missingPrerequisite, key: key.description, "needs a prerequisite under \"\(key)\""))
            }
        }
        guard let nested = task as? SubworkflowTask, !nested.isTransparent else {
            return walk.add((issues + (task?.findIssues() ?? [])).map { $0.at(place) })
        }
        walk.add((issues + nested.ownIssues()).map { $0.at(place) })
        walk.enter(nested.subworkflow, by: place, holding: own)
    }

    private func issues(in options: TaskOptions) -> [CheckIssue] {
        var issues = options.fault.map { [CheckIssue(.invalidOption, .error, $0)] } ?? []
        for (pool, weight) in options.pools where weight > pool.capacity {
            let text = "wants \(weight) of pool \(pool.name), which has \(pool.capacity)"
            issues.append(CheckIssue(.poolTooSmall, .error, text))
        }
        if let timeout = options.timeout, let deadline = options.deadline, deadline < timeout {
            issues.append(CheckIssue(.shortDeadline, .warning, "its deadline is shorter than its time-out"))
        }
        return issues
    }
}

/// A walk through a workflow and all that are inside: a list of its own, as they may be nested deeper than a stack is.
private struct CheckWalk {
    private struct Visit {
        let workflow: Workflow
        /// The task that it is inside of.
        let place: RunReport.TaskName?
        /// What that task holds while it waits for what is inside.
        let places: [ConcurrencyPool: Int]
        var suspects: ArraySlice<Int32>
    }

    private var visits: [Visit] = []
    private(set) var issues: [CheckIssue] = []

    mutating func enter(
        _ workflow: Workflow, by place: RunReport.TaskName? = nil,
        holding places: [ConcurrencyPool: Int] = [:]
    ) {
        let (suspects, found) = workflow.core.look { ($0.suspects(), $0.findIssues()) }
        visits.append(Visit(workflow: workflow, place: place, places: places, suspects: suspects[...]))
        add(found)
    }

    /// The next task to be looked at.
    mutating func next() -> (Workflow, Int32)? {
        while let last = visits.indices.last {
            if let number = visits[last].suspects.popFirst() { return (visits[last].workflow, number) }
            visits.removeLast()
        }
        return nil
    }

    /// What is wrong with places that a task needs while those around it hold some of the same pool, if they do.
    func issue(of pool: ConcurrencyPool, _ weight: Int) -> CheckIssue? {
        let held = visits.reduce(0) { $0 + ($1.places[pool] ?? 0) }
        guard held > 0 else { return nil }
        // Where there is room for this one, there may be none beside several of those around.
        let fits = weight <= pool.capacity - held
        let text = "wants \(weight) of pool \(pool.name), of which the tasks around it hold \(held) meanwhile"
        return CheckIssue(.poolHeldAround, fits ? .warning : .error, text)
    }

    /// Adds what was found in the workflow that was entered last.
    mutating func add(_ found: [CheckIssue]) {
        guard !found.isEmpty else { return }
        issues += found.map { issue in
            visits.reversed().reduce(issue) { issue, visit in
                visit.place.map { issue.inside(visit.workflow.name).at($0) } ?? issue
            }
        }
    }
}

extension CheckIssue {
    /// The same finding, about this task; what is found further inside keeps its place there.
    func at(_ task: RunReport.TaskName) -> CheckIssue {
        CheckIssue(
            code, severity, subject: task.name, place: place.isEmpty ? task.name : "\(task.name): \(place)",
            path: task.id.path + path, key: key, wanted: wanted, found: found, text)
    }

    /// The same finding, in a workflow inside.
    func inside(_ workflow: String) -> CheckIssue {
        CheckIssue(
            code, severity, subject: subject,
            place: place.isEmpty ? "inside \(workflow)" : "inside \(workflow): \(place)", path: path,
            key: key,
            wanted: wanted, found: found, text)
    }
}

extension WorkflowMachine {
    /// The tasks that have something about them that can be wrong.
    fileprivate func suspects() -> [Int32] { known.filter { isSuspect($0) } }

    func isSuspect(_ number: Int32) -> Bool {
        if tasks[number].traits.contains(.hasRareState) { return true }
        if case .object(let task) = tasks.work(number) { return task.canHaveIssues }
        return false
    }

    /// What is wrong with the graph and the workflow's own options.
    fileprivate func findIssues() -> [CheckIssue] {
        var issues: [CheckIssue] = []
        if let most = options.maximumConcurrency, most < 1 {
            issues.append(own(.invalidOption, "maximumConcurrency is \(most)"))
        }
        if let deadline = options.deadline, deadline < .zero {
            issues.append(own(.invalidOption, "deadline is \(deadline)"))
        }
        if options.requiresUniqueNames {
            var owners: [String: Int32] = [:]
            for number in known {
                if let owner = owners.updateValue(number, forKey: name(number)) {
                    let text = "the name is task \(owner + 1)'s too"
                    issues.append(CheckIssue(.duplicateName, .error, text).at(taskName(number)))
                }
            }
        }
        if tasks.counts[.failed] + tasks.counts[.cancelled] > 0 {
            for number in known where tasks[number].blockage != .none {
                let causes = blockers(of: number).map { name($0) }.joined(separator: ", ")
                let issue = CheckIssue(.unreachable, .warning, "can't run because of \(causes)")
                issues.append(issue.at(taskName(number)))
            }
        }
        return issues
    }

    private func own(_ code: CheckIssue.Code, _ text: String) -> CheckIssue {
        CheckIssue(code, subject: names.workflow, place: names.workflow, text)
    }
}
