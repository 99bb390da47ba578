public import SteplineSupport

extension CheckIssue.Code {
    /// A weight exceeds a pool's capacity.
    public static let poolTooSmall = CheckIssue.Code("poolTooSmall")
    /// A task needs a pool whose slots a surrounding task holds.
    public static let poolHeldAround = CheckIssue.Code("poolHeldAround")
    /// An option is out of its range.
    public static let invalidOption = CheckIssue.Code("invalidOption")
    /// A required prerequisite key is missing.
    public static let missingPrerequisite = CheckIssue.Code("missingPrerequisite")
    /// A name is a duplicate, although names must be unique.
    public static let duplicateName = CheckIssue.Code("duplicateName")
    /// The task can't run because a task upstream failed or was cancelled.
    public static let unreachable = CheckIssue.Code("unreachable")
    /// No task waits for a condition, so that its fulfilment starts nothing.
    public static let unusedCondition = CheckIssue.Code("unusedCondition")
    /// A subworkflow has no tasks.
    public static let emptySubworkflow = CheckIssue.Code("emptySubworkflow")
    /// The content of the task has a mistake.
    public static let content = CheckIssue.Code("content")
    /// A deadline is shorter than a time-out.
    public static let shortDeadline = CheckIssue.Code("shortDeadline")
    /// A fault in the options matches nothing in the workflow.
    public static let idleFault = CheckIssue.Code("idleFault")
}

extension Workflow {
    /// Finds all mistakes that are visible before the run; runs nothing.
    ///
    /// `start()` and `run()` perform this check and fail with its errors. Warnings never prevent a start.
    ///
    /// - Returns: The issues.
    public func check() -> [CheckIssue] {
        var walk = CheckWalk()
        walk.enter(self)
        while let (workflow, number) = walk.next() { workflow.check(number, &walk) }
        // The names of all tasks are collected only if there are faults.
        return core.faults.isEmpty ? walk.issues : walk.issues + idleFaults()
    }

    func issues(of number: Int32) -> [CheckIssue] {
        // Most tasks are closures without options: nothing to check.
        guard core.look({ $0.isSuspect(number) }) else { return [] }
        var walk = CheckWalk()
        check(number, &walk)
        while let (workflow, number) = walk.next() { workflow.check(number, &walk) }
        return walk.issues
    }

    /// Checks one task, without the lock, because the check calls user code.
    private func check(_ number: Int32, _ walk: inout CheckWalk) {
        let (task, options, keys, place) = core.look { machine in
            (
                machine.object(number), machine.rare.options[number],
                machine.rare.keys[number] ?? [:], machine.taskName(number)
            )
        }
        var issues = options.map { self.issues(in: $0) } ?? []
        let own = options?.pools ?? [:]
        let weights = own.merging((task as? SubworkflowTask)?.placesOfElements ?? [:], uniquingKeysWith: max)
        // The weights of a map's elements count too: they are created only during the run.
        for (pool, weight) in weights {
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
        // Inner tasks wait for slots while this task holds its own.
        walk.enter(nested.subworkflow, by: place, holding: own)
    }

    private func issues(in options: TaskOptions) -> [CheckIssue] {
        var issues = options.fault.map { [CheckIssue(.invalidOption, .error, $0)] } ?? []
        for (pool, weight) in options.pools where weight > pool.capacity {
            let text = "wants \(weight) of pool \(pool.name), which has \(pool.capacity)"
            issues.append(CheckIssue(.poolTooSmall, .error, text))
        }
        // The deadline ends the task first, so the time-out never fires.
        if let timeout = options.timeout, let deadline = options.deadline, deadline < timeout {
            issues.append(CheckIssue(.shortDeadline, .warning, "its deadline is shorter than its time-out"))
        }
        return issues
    }
}

/// A traversal of a workflow and its inner workflows, with an explicit stack: nesting may exceed the thread's stack.
private struct CheckWalk {
    private struct Visit {
        let workflow: Workflow
        /// The surrounding task.
        let place: RunReport.TaskName?
        /// The slots that this task holds while its inner workflow runs.
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

    /// Returns the next task to check.
    mutating func next() -> (Workflow, Int32)? {
        while let last = visits.indices.last {
            // Depth first: an inner workflow is finished before its surrounding one continues.
            if let number = visits[last].suspects.popFirst() { return (visits[last].workflow, number) }
            visits.removeLast()
        }
        return nil
    }

    /// Returns the issue of a task that needs slots while surrounding tasks hold slots of the same pool.
    func issue(of pool: ConcurrencyPool, _ weight: Int) -> CheckIssue? {
        let held = visits.reduce(0) { $0 + ($1.places[pool] ?? 0) }
        guard held > 0 else { return nil }
        // Enough slots for one task may still be missing if several surrounding tasks run concurrently.
        let fits = weight <= pool.capacity - held
        let text = "wants \(weight) of pool \(pool.name), of which the tasks around it hold \(held) meanwhile"
        return CheckIssue(.poolHeldAround, fits ? .warning : .error, text)
    }

    /// Adds issues of the workflow that was entered last.
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
    /// Returns the issue with this task as its subject; an issue of an inner task keeps its inner place.
    func at(_ task: RunReport.TaskName) -> CheckIssue {
        CheckIssue(
            code, severity, subject: task.name, place: place.isEmpty ? task.name : "\(task.name): \(place)",
            path: task.id.path + path, key: key, expected: expected, found: found, text)
    }

    /// Returns the issue with an inner workflow in its place.
    func inside(_ workflow: String) -> CheckIssue {
        CheckIssue(
            code, severity, subject: subject,
            place: place.isEmpty ? "inside \(workflow)" : "inside \(workflow): \(place)", path: path,
            key: key,
            expected: expected, found: found, text)
    }
}

extension WorkflowMachine {
    /// The tasks with properties that can be invalid.
    fileprivate func suspects() -> [Int32] { known.filter { isSuspect($0) } }

    func isSuspect(_ number: Int32) -> Bool {
        if tasks[number].traits.contains(.hasRareState) { return true }
        if case .object(let task) = tasks.work(number) { return task.canHaveIssues }
        return false
    }

    /// Returns the issues of the graph and of the workflow's own options.
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
                // Reported at the later task, which names the earlier one.
                if let owner = owners.updateValue(number, forKey: name(number)) {
                    let text = "the name is task \(owner + 1)'s too"
                    issues.append(CheckIssue(.duplicateName, .error, text).at(taskName(number)))
                }
            }
        }
        for number in known
        where tasks[number].traits.contains(.condition) && !rare.delays.contains(number)
            && graph.dependents(of: number).isEmpty
        {
            let issue = CheckIssue(.unusedCondition, .warning, "is a condition that no task waits for")
            issues.append(issue.at(taskName(number)))
        }
        // Only a failure or cancellation can block a task.
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
