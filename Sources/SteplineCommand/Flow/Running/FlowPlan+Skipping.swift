import SteplineJSON
import SteplinePipeline
import SteplineWorkflow

/// The conditions under which tasks are skipped: a false condition, or a skipped prerequisite whose result is needed.
extension FlowPlan {
    /// Returns the reason why a task is skipped and reports it; nil if the task runs.
    ///
    /// Throws the failure of the condition.
    func skips(_ task: FlowTask, after before: [WorkflowTask], _ bag: Content) throws -> String? {
        guard let reason = try lack(of: task, before) ?? condition(of: task, bag) else { return nil }
        skip(fullName(task.name), reason)
        return reason
    }

    /// Returns the tasks that may be skipped, given the topological order.
    static func skippable(_ order: [FlowTask]) -> Set<String> {
        guard order.contains(where: { $0.when != nil }) else { return [] }
        return order.reduce(into: []) { skippable, task in
            if task.when != nil || !task.neededTasks.isDisjoint(with: skippable) {
                skippable.insert(task.name)
            }
        }
    }

    /// Returns the reason for a skipped prerequisite that the task needs.
    private func lack(of task: FlowTask, _ before: [WorkflowTask]) -> String? {
        let skipped = before.filter { ($0.result as? FlowResult)?.skipped != nil }.map(own)
        guard !skipped.isEmpty else { return nil }
        let needed = task.neededTasks
        return skipped.first { needed.contains($0) }.map {
            "it takes the result of \"\($0)\", which is skipped"
        }
    }

    private func condition(of task: FlowTask, _ bag: Content) throws -> String? {
        guard let when = task.when else { return nil }
        do {
            return try setting.telling("when", at: when.root.offset) {
                let verdict = try FlowScope(setting: setting, bag: bag, input: nil).evaluator().value(
                    of: when)
                guard let isRun = verdict.bool else {
                    throw FlowError("expected true or false, not \(verdict.article)")
                }
                return isRun ? nil : "when: \(when.text)"
            }
        } catch {
            throw setting.secrets.hidden(error)
        }
    }
}

extension FlowTask {
    /// The prerequisites whose results the task needs.
    fileprivate var neededTasks: Set<String> { usedTasks.subtracting(allowFailure.map(\.name)) }
}
