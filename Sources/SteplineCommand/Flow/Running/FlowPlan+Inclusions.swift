import Foundation
import SteplineJSON
import SteplinePipeline
import SteplineSupport
import SteplineWorkflow

/// The plans of workflow files that tasks run.
extension FlowPlan {
    /// Returns the plan of an included file with its parameters, whose tasks get a name prefix.
    func inner(of task: FlowTask, named name: String, _ bag: Content) throws -> FlowPlan {
        guard let inclusion = task.flow, let path = inclusions[task.name], var inner = library[path] else {
            throw FlowError("it runs no file")
        }
        let budget = ExpressionBudget()
        inner.setting.parameters = try parameters(for: inner.file, inclusion, bag, budget)
        try keep(budget.made, of: task)
        inner.prefix = name + "/"
        inner.library = library
        inner.jobs = jobs
        inner.places = places
        inner.room = room
        inner.keptAttempts = keptAttempts
        inner.setting.takeOver(setting, ownsConnections: inner.file.network != nil)
        inner.settleLimits()
        inner.followsSteps = followsSteps
        inner.follow = follow
        inner.followElements = followElements
        inner.skip = skip
        inner.warn = warn
        return inner
    }

    /// Returns the plan of an included file before its parameters are known; nil if the task runs none.
    ///
    /// Its tasks get the given name or the task's name as prefix.
    func planned(_ task: FlowTask, named name: String? = nil) -> FlowPlan? {
        guard let path = inclusions[task.name], var inner = library[path] else { return nil }
        for parameter in inner.file.parameters {
            inner.setting.parameters[parameter.name] = parameter.standard
        }
        inner.prefix = (name ?? fullName(task.name)) + "/"
        inner.library = library
        return inner
    }

    func planned(_ task: FlowTask) -> Workflow? { try? planned(task)?.workflow() }

    /// Returns the parameters: defaults, overridden by the task's values that aren't null.
    private func parameters(
        for file: FlowFile, _ inclusion: FlowInclusion, _ bag: Content, _ budget: ExpressionBudget
    ) throws -> [String: JSON] {
        var values: [String: JSON] = [:]
        for parameter in file.parameters { values[parameter.name] = parameter.standard }
        let scope = FlowScope(setting: setting, bag: bag, input: nil, budget: budget)
        let part = "flow \(inclusion.path.path)"
        for argument in inclusion.parameters {
            guard let parameter = file.parameter(argument.name) else { continue }
            let value = try setting.telling(part, at: argument.valueOffset) {
                try argument.value.value(by: scope.evaluator())
            }
            guard !value.isNull else { continue }
            if let objection = parameter.objection(to: value) {
                throw setting.failure(
                    of: part, at: argument.valueOffset, "the parameter \"\(argument.name)\": \(objection)",
                    nil)
            }
            values[argument.name] = value
        }
        let missing = file.parameters.first { $0.isRequired && values[$0.name] == nil }
        guard let missing else { return values }
        throw setting.failure(
            of: part, at: inclusion.path.offset, "the parameter \"\(missing.name)\" has no value", nil)
    }

    /// Returns the file's result, given the results of its tasks; null if it declares none.
    func outcome(in bag: Content, _ budget: ExpressionBudget) throws -> JSON {
        guard let result = file.result else { return .null }
        let scope = FlowScope(setting: setting, bag: bag, input: nil, budget: budget)
        // Parts of the result have places; the result itself has none.
        return try setting.telling("result", at: result.references.first?.offset ?? 0) {
            try result.value(by: scope.evaluator())
        }
    }

    // MARK: Names

    /// Returns the full name of a task, which in an included file begins with the including task's name.
    func fullName(_ name: String) -> String { prefix + name }

    /// Returns the name of a task in its file.
    func own(_ task: WorkflowTask) -> String { own(task.name) }

    func own(_ name: String) -> String { name.after(prefix) ?? name }

    /// Returns the results of tasks by name, without skipped and permitted failed ones.
    func bag(of tasks: [WorkflowTask]) -> Content {
        var bag = Content()
        for task in tasks { bag[.result(of: own(task))] = FlowResult.value(of: task.result) }
        return bag
    }
}
