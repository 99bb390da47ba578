import SteplineSupport

extension Workflow {
    /// Warns of faults in the options that can't do anything: of names that no task has, and of what only simulations have.
    func idleFaults() -> [CheckIssue] {
        let (names, maps) = namesWithin()
        return core.faults.list.compactMap { fault in
            guard fault.isForRealRuns else { return warning(fault, "is for simulations") }
            guard let task = fault.task, !names.contains(task),
                !maps.contains(where: { task.begins(with: "\($0)[") })
            else { return nil }
            return warning(fault, "is meant for a task that isn't there")
        }
    }

    private func warning(_ fault: Fault, _ text: String) -> CheckIssue {
        CheckIssue(.idleFault, .warning, subject: name, place: name, "\(fault) \(text)")
    }

    /// The names of all tasks, those inside too, and of the maps whose elements are known only in the run.
    private func namesWithin() -> (names: Set<String>, maps: Set<String>) {
        var (names, maps): (Set<String>, Set<String>) = ([], [])
        var rest: [Workflow] = [self]
        while let workflow = rest.popLast() {
            for task in workflow.allTasks {
                names.insert(task.name)
                guard let outer = task as? SubworkflowTask else { continue }
                if outer.isTransparent { maps.insert(task.name) } else { rest.append(outer.subworkflow) }
            }
        }
        return (names, maps)
    }
}
