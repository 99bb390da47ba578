import SteplineSupport

extension Workflow {
    /// Finds every mistake that can be seen before the run, all at once; runs nothing.
    ///
    /// `start()` and `run()` make this check and fail with its errors; warnings stop nothing.
    public func check() -> [WorkflowIssue] {
        let (suspects, found) = core.machine.withLock { ($0.suspects(), $0.findIssues()) }
        return found + suspects.flatMap { issues(ofTask: $0) }
    }

    func issues(of number: Int32) -> [WorkflowIssue] {
        let needsLook = core.machine.withLock { $0.isSuspect(Int(number)) }
        return needsLook ? issues(ofTask: number) : []
    }

    /// What is wrong with one task; asked outside the lock, as it asks the user's code.
    private func issues(ofTask number: Int32) -> [WorkflowIssue] {
        let (task, options, keys, place) = core.machine.withLock { machine in
            (
                machine.object(number), machine.tables.options[number],
                machine.tables.keys[number] ?? [:], machine.taskName(Int(number))
            )
        }
        var issues = options.map { self.issues(in: $0) } ?? []
        if let task {
            for key in task.requiredPrerequisiteKeys.subtracting(keys.keys) {
                issues.append(
                    WorkflowIssue(.missingKey, task: nil, name: "", "needs a prerequisite under \"\(key)\"")
                )
            }
            issues += task.findIssues()
        }
        return issues.map { $0.task == nil ? $0.at(place) : $0 }
    }

    private func issues(in options: TaskOptions) -> [WorkflowIssue] {
        var issues: [WorkflowIssue] = []
        if let fault = options.fault {
            issues.append(WorkflowIssue(.invalidOption, task: nil, name: "", fault))
        }
        for (pool, weight) in options.pools where weight > pool.capacity {
            let text = "wants \(weight) of pool \(pool.name), which has \(pool.capacity)"
            issues.append(WorkflowIssue(.poolTooSmall, task: nil, name: "", text))
        }
        if let timeout = options.timeout, let deadline = options.deadline, deadline < timeout {
            let text = "its deadline is shorter than its time-out"
            issues.append(WorkflowIssue(.shortDeadline, .warning, task: nil, name: "", text))
        }
        return issues
    }
}

extension WorkflowState {
    /// The tasks that have something about them that can be wrong.
    fileprivate func suspects() -> [Int32] { (0..<count).filter { isSuspect(Int($0)) } }

    func isSuspect(_ index: Int) -> Bool {
        if nodes[index].flags.contains(.hasOptions) { return true }
        if case .object(let task) = parts[index].work { return task.canHaveIssues }
        return false
    }

    /// What is wrong with the graph and the workflow's own options.
    fileprivate func findIssues() -> [WorkflowIssue] {
        var issues: [WorkflowIssue] = []
        func add(
            _ code: WorkflowIssue.Code, _ severity: WorkflowIssue.Severity, _ index: Int?, _ text: String
        ) {
            let issue = WorkflowIssue(code, severity, task: nil, name: index == nil ? tables.name : "", text)
            issues.append(index.map { issue.at(taskName($0)) } ?? issue)
        }
        if let most = options.maximumConcurrency, most < 1 {
            add(.invalidOption, .error, nil, "maximumConcurrency is \(most)")
        }
        if let deadline = options.deadline, deadline < .zero {
            add(.invalidOption, .error, nil, "deadline is \(deadline)")
        }
        if options.requiresUniqueNames {
            var owners: [String: Int] = [:]
            for index in nodes.indices {
                if let owner = owners.updateValue(index, forKey: name(index)) {
                    add(.duplicateName, .error, index, "the name is task \(owner + 1)'s too")
                }
            }
        }
        if counts[.failed] + counts[.cancelled] > 0 {
            for index in nodes.indices where nodes[index].flags.contains(.blocked) {
                let causes = faults(of: index).joined(separator: ", ")
                add(.unreachable, .warning, index, "can't run because of \(causes)")
            }
        }
        return issues
    }
}
