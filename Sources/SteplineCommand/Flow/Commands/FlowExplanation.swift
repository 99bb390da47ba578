import SteplineJSON
import SteplinePipeline
import SteplineSupport

/// The description of a task, for `explain`.
struct FlowExplanation {
    private let task: FlowTask
    private let plan: FlowPlan
    private let policies: FlowPolicies

    init(of task: FlowTask, in plan: FlowPlan) {
        self.task = task
        self.plan = plan
        policies = plan.policies(of: task)
    }

    /// The lines for a terminal, without control characters from the file.
    var text: String {
        var rows: [(name: String, value: String)] = []
        func add(_ name: String, _ values: [String]) {
            if !values.isEmpty { rows.append((name, values.joined(separator: ", "))) }
        }
        switch task.runs {
        case .onSuccess: break
        case .always: add("runs", ["always, after the tasks before it"])
        case .onFailure: add("runs", ["after the tasks before it, if any failed or was cancelled"])
        case .afterSuccess:
            add("runs", ["after the tasks before it, if none failed or was cancelled"])
        }
        add("only when", task.when.map { [$0.text] } ?? [])
        let mayFail = Set(task.allowFailure.map(\.name))
        add("waits for", task.after.map { $0.name + (mayFail.contains($0.name) ? " (which may fail)" : "") })
        let dependents = plan.file.tasks.filter { $0.after.contains { $0.name == task.name } }
        add("waited for by", dependents.map(\.name))
        add("runs for", map)
        add("tries", policies.retry.map { [Self.tries($0)] } ?? [])
        add("takes", times)
        add("pools", policies.pools.map { "\($0.weight) of \($0.pool.name)" })
        add("priority", policies.priority.map { ["\($0)"] } ?? [])
        add("parameters", parameters)
        add("reads", reads)
        add("writes", writes)
        add("runs", programs)
        add("runs the file", task.flow.map { [$0.path.path] } ?? [])
        add("with", given)
        add("its tasks", plan.planned(task)?.order.map { plan.fullName(task.name) + "/" + $0.name } ?? [])
        let width = (rows.map(\.name.count).max() ?? 0) + 2
        var lines = [plan.fullName(task.name) + (task.description.map { ": \($0)" } ?? "")]
        lines += rows.map { row in
            "  " + row.name + String(repeating: " ", count: width - row.name.count) + row.value
        }
        if !task.steps.isEmpty { lines.append("  steps") }
        for (number, step) in task.steps.enumerated() {
            let place = plan.setting.source.place(at: step.offset)
            let terms = (["line \(place.line)"] + terms(of: step)).joined(separator: "; ")
            lines.append("    \(number + 1). \(describe(step)) (\(terms))")
        }
        return lines.map { Session.oneLine($0) + "\n" }.joined()
    }

    /// The parameters passed to the file that the task runs.
    private var given: [String] {
        (task.flow?.parameters ?? []).map { argument in
            switch argument.value {
            case .text(let template): "\(argument.name) = \(filled(template))"
            case .plain(let json): "\(argument.name) = \(json)"
            case .list, .object: argument.name
            }
        }
    }

    /// The parameters that the task uses, with their values.
    private var parameters: [String] {
        var names: Set<String> = []
        for reference in task.references {
            if case .parameter(let name) = reference.name { names.insert(name) }
        }
        return plan.file.parameters.filter { names.contains($0.name) }.map { parameter in
            let value = plan.setting.parameters[parameter.name].map { " = \($0)" } ?? ""
            let facts = [parameter.expected, parameter.description].compactMap(\.self).joined(separator: "; ")
            return "\(parameter.name)\(value) (\(facts))"
        }
    }

    private var map: [String] {
        guard let map = task.map else { return [] }
        let list: String
        switch map.list {
        case .text(let template): list = "each element of \(template.text)"
        case .plain(let json): list = "each of \(json)"
        case .list(let parts): list = "each of \(parts.count) elements"
        case .object: list = "each combination of \((map.combined ?? []).joined(separator: ", "))"
        }
        let key = map.key.map { ["named by \($0.text)"] } ?? []
        let except = map.except.map { ["except where \($0.text)"] } ?? []
        let limit = map.limit.map { ["at most \($0) at once"] } ?? []
        let omission = map.skipsFailures ? ["failed elements omitted"] : []
        return [list] + growth + except + key + limit + omission
    }

    /// How the map grows.
    private var growth: [String] {
        guard task.grows, let map = task.map else { return [] }
        let depth = map.depth.map { ["up to a depth of \($0)"] } ?? []
        return ["all that grow finds, at most \(map.mostElements) elements"] + depth
    }

    private var times: [String] {
        let attempt = policies.timeout.map { ["each attempt at most \($0)"] } ?? []
        return attempt + (policies.deadline.map { ["all attempts at most \($0)"] } ?? [])
    }

    private var reads: [String] {
        let loaded = task.steps.compactMap { step in
            switch step.verb {
            case .load(let load): filled(load.place)
            case .pages(let pages): filled(pages.load.place)
            case .files(let finding): finding.patterns.map { filled($0) }.joined(separator: ", ")
            default: nil
            }
        }
        return loaded + task.reads.map { filled($0) }.filter { !loaded.contains($0) }
    }

    private var writes: [String] {
        let saved = task.steps.map { step in
            step.madeFiles.map { filled($0) }.joined(separator: ", ")
        }.filter { !$0.isEmpty }
        return saved + task.writes.map { filled($0) }.filter { !saved.contains($0) }
    }

    private var programs: [String] {
        task.steps.compactMap { step in
            guard case .run(let program) = step.verb else { return nil }
            let place = program.folder.map { " in \(filled($0))" } ?? ""
            if let script = program.script {
                return "\(program.program) with a script of \(script.lineCount) lines\(place)"
            }
            return ([program.program] + program.arguments.map { filled($0) }).joined(separator: " ") + place
        }
    }

    /// Returns the text with all values filled in that are known before a run.
    private func filled(_ template: FlowTemplate) -> String {
        let evaluator = FlowScope(setting: plan.setting, bag: Content(), input: nil).evaluator()
        var text = ""
        for part in template.parts {
            switch part {
            case .text(let plain): text += plain
            case .formula(let formula):
                let value = isKnown(formula) ? (try? evaluator.value(of: formula))?.asText : nil
                text +=
                    value.flatMap { try? FlowAddress.fill($0, after: text, isForeign: false) }
                    ?? "${\(formula.text)}"
            }
        }
        return text
    }

    private func isKnown(_ formula: FlowExpression) -> Bool {
        formula.references.allSatisfy { reference in
            if case .parameter(let name) = reference.name {
                plan.setting.parameters[name] != nil
            } else {
                false
            }
        }
    }

    private static func tries(_ retry: RetryPolicy) -> String {
        retry.attempts == 1 ? "once" : "up to \(retry.attempts) times"
    }

    /// Returns the step's own retry and time limits.
    private func terms(of step: FlowStep) -> [String] {
        [
            step.retry.map(Self.tries),
            step.timeout.map { "each attempt at most \($0)" },
        ].compactMap(\.self)
    }

    private func describe(_ step: FlowStep) -> String {
        switch step.verb {
        case .load(let load): "load \(filled(load.place))"
        case .pages(let pages): "pages \(filled(pages.load.place))"
        case .save(let save): "save to \(filled(save.place))"
        case .append(let append): "append to \(filled(append.place))"
        case .files(let finding): "files \(finding.patterns.map { filled($0) }.joined(separator: ", "))"
        case .file(let work):
            "\(step.word) \(work.places.map { filled($0) }.joined(separator: ", "))"
                + (work.target.map { " to \(filled($0))" } ?? "")
        case .transform(let formula), .each(let formula), .filter(let formula): "\(step.word) \(formula.text)"
        case .columns(let columns): "columns \(columns.columns.map(\.name).joined(separator: ", "))"
        case .run(let program):
            (["run", program.program] + program.arguments.map(\.text)).joined(separator: " ")
        default: step.title
        }
    }
}
