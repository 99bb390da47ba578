import SteplineSupport

extension Workflow {
    /// Returns warnings for faults in the options without effect: for unknown tasks, and those only for simulations.
    func idleFaults() -> [CheckIssue] {
        let (names, maps) = namesWithin()
        return core.faults.list.compactMap { fault in
            // Network and timer faults act only on test doubles and simulated clocks.
            guard fault.isForRealRuns else { return warning(fault, "is for simulations") }
            // A fault for an element of a map names a task that exists only during the run.
            guard let task = fault.task, !names.contains(task),
                !maps.contains(where: { task.begins(with: "\($0)[") })
            else { return nil }
            return warning(fault, "is meant for a task that isn't there")
        }
    }

    private func warning(_ fault: Fault, _ text: String) -> CheckIssue {
        CheckIssue(.idleFault, .warning, subject: name, place: name, "\(fault) \(text)")
    }

    /// Returns the names of all tasks, including inner ones, and of the maps whose elements exist only during the run.
    private func namesWithin() -> (names: Set<String>, maps: Set<String>) {
        var (names, maps): (Set<String>, Set<String>) = ([], [])
        var rest: [Workflow] = [self]
        while let workflow = rest.popLast() {
            for task in workflow.allTasks {
                names.insert(task.name)
                guard let outer = task as? SubworkflowTask else { continue }
                // The elements of a map exist only during the run.
                if outer.isTransparent { maps.insert(task.name) } else { rest.append(outer.subworkflow) }
            }
        }
        return (names, maps)
    }
}
