import Foundation
import SteplineJSON
import SteplinePipeline
import SteplineXML

extension FlowStep {
    /// Creates the pipeline steps of this step, given the task's content.
    func make(in setting: FlowSetting, _ bag: Content) -> [any Step] {
        let steps = parts(in: setting, bag)
        let title = title
        for (number, step) in steps.enumerated() {
            step.options.name =
                steps.count == 1 || number == 1 ? title : "\(word) (\(number == 0 ? "address" : "value"))"
            // Of several parts, the second does the work.
            guard steps.count == 1 || number == 1 else { continue }
            if !countsOwnTime { step.options.timeout = timeout }
            step.options.retry = setting.waitsBeforeRetries ? retry : retry?.withoutWaits
        }
        return steps
    }

    /// Creates the pipeline steps of one attempt.
    private func parts(in setting: FlowSetting, _ bag: Content) -> [any Step] {
        let timeout = timeout
        switch verb {
        case .load(let load): return load.makeSteps(setting, bag, timeout: timeout)
        case .pages(let pages):
            return [
                waiting(setting, bag) { scope in
                    try await FlowTimeLimit.run(within: timeout, setting.clock) { watch in
                        try await pages.run(in: scope) { isWaiting in
                            setting.lineWatch?(isWaiting)
                            watch?(isWaiting)
                        }
                    }
                }
            ]
        case .run(let program):
            return [
                waiting(setting, bag) { scope in
                    try await FlowTimeLimit.run(within: timeout, setting.clock) { _ in
                        try await program.run(in: scope)
                    }
                }
            ]
        default:
            return [
                BlockStep(from: .possibleFlow, to: .flow) {
                    [self] (input: FlowValue?, context: StepContext) in
                    let scope = FlowScope(setting: setting, bag: bag, input: input) {
                        try context.checkCancellation()
                    }
                    return try work(scope)
                }
            ]
        }
    }

    /// Creates an asynchronous pipeline step.
    private func waiting(
        _ setting: FlowSetting, _ bag: Content,
        _ work: @escaping @Sendable (FlowScope) async throws -> FlowValue
    ) -> any Step {
        BlockStep(from: .possibleFlow, to: .flow) { (input: FlowValue?) async throws -> FlowValue in
            try await work(FlowScope(setting: setting, bag: bag, input: input))
        }
    }

    /// Whether the step enforces its own time limit instead of the pipeline: it excludes waits for a host, or must not
    /// end before its program, for which a pipeline doesn't wait.
    private var countsOwnTime: Bool {
        switch verb {
        case .load, .pages, .run: true
        default: false
        }
    }

    /// Whether the step runs a program, whose end the next step must await.
    var isProgram: Bool {
        if case .run = verb { true } else { false }
    }

    func work(_ scope: FlowScope) throws -> FlowValue {
        switch verb {
        case .use(let reference): return scope.bag[.result(of: reference.name)] ?? .json(.null)
        case .value(let literal): return .json(try literal.value(by: scope.evaluator()))
        case .parse(let format):
            let value = try operand(scope)
            let parsed = try format.parse(value)
            // Formulas may have constructed the text.
            if case .json = value { scope.budget.note(copied: parsed.size) }
            return parsed
        case .select(let query):
            return .json(try query.all(in: operand(scope), scope.setting, scope.budget))
        case .first(let query, let standard):
            if let found = try query.first(in: operand(scope), scope.setting) { return .json(found) }
            guard let standard else { throw FlowError("nothing is found by \(query.text)") }
            return .json(try standard.value(by: scope.evaluator()))
        case .columns(let columns):
            return .json(try columns.table(of: operand(scope), scope.setting, scope.budget))
        case .transform(let formula): return .json(try scope.evaluator().value(of: formula))
        case .each(let formula):
            let elements = try elements(scope)
            return .json(
                try JSON(
                    elements: elements.map { element in
                        let value = try scope.evaluator(element: element).value(of: formula)
                        try scope.budget.take(value, at: formula.root.offset)
                        return value
                    }))
        case .filter(let formula):
            let kept = try elements(scope).filter { element in
                let verdict = try scope.evaluator(element: element).value(of: formula)
                guard let keeps = verdict.bool else {
                    throw ExpressionError(
                        offset: formula.root.offset,
                        message: "filter expects true or false, not \(verdict.article)")
                }
                return keeps
            }
            return .json(try JSON(elements: kept))
        case .grow(let query, let form):
            try scope.setting.grow?(found(by: query, form, scope))
            return scope.input ?? .json(.null)
        case .mask(let formula):
            try mask(scope.evaluator().value(of: formula), at: formula.root.offset, in: scope)
            return scope.input ?? .json(.null)
        case .save(let save):
            let value = try operand(scope)
            try save.write(value, in: scope)
            return value
        case .append(let append):
            let value = try operand(scope)
            try append.write(value, in: scope)
            return value
        case .files(let finding):
            return .json(try JSON(elements: finding.paths(in: scope).map { JSON($0) }))
        case .file(let work):
            try work.run(in: scope)
            return scope.input ?? .json(.null)
        case .load, .pages, .run, .broken: throw FlowError("this step can't be run")
        }
    }

    /// Returns the matches of a query, each transformed, without null.
    private func found(by query: FlowQuery, _ form: FlowExpression?, _ scope: FlowScope) throws -> [JSON] {
        var found = try query.all(in: operand(scope), scope.setting, scope.budget).array ?? []
        if let form {
            found = try found.map { match in
                let value = try scope.evaluator(element: match).value(of: form)
                try scope.budget.take(value, at: form.root.offset)
                return value
            }
        }
        return found.filter { $0.kind != .null }
    }

    /// Hides a text or the texts of a list in later output, each without a trailing line break.
    ///
    /// Hides all that can be hidden before it throws.
    private func mask(_ value: JSON, at offset: Int, in scope: FlowScope) throws {
        var failure: (any Error)?
        for part in value.array ?? [value] {
            do { try maskOne(part, at: offset, in: scope) } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }

    private func maskOne(_ part: JSON, at offset: Int, in scope: FlowScope) throws {
        guard let text = part.asText, part.bool == nil else {
            throw ExpressionError(
                offset: offset, message: "mask expects a text or a list of texts, not \(part.article)")
        }
        let secret = text.hasSuffix("\r\n") || text.hasSuffix("\n") ? String(text.dropLast()) : text
        let isNew = try scope.setting.secrets.redactor.mask(secret)
        guard isNew, secret.utf8.count < SecretRedactor.safest else { return }
        let place = scope.setting.source.place(at: offset)
        scope.setting.warn?(
            "the value masked in line \(place.line) of \(scope.setting.source.name) has less than "
                + "\(SecretRedactor.safest) bytes: short texts also occur by chance")
    }

    private func operand(_ scope: FlowScope) throws -> FlowValue {
        guard let input = scope.input else { throw FlowError("there is nothing to \(word)") }
        return input
    }

    private func elements(_ scope: FlowScope) throws -> [JSON] {
        let value = try operand(scope).forFormulas()
        guard let elements = value.array else {
            throw FlowError("\(word) expects a list, not \(value.article)")
        }
        return elements
    }

    /// The description of the step for users.
    var title: String {
        if let name { return name }
        switch verb {
        case .use(let reference): return "use \(reference.name)"
        case .parse(let format): return "parse \(format.rawValue)"
        case .select(let query), .first(let query, _), .grow(let query, _):
            return "\(word) \(query.text)"
        case .run(let program): return "run \(program.program)"
        case .mask(let formula): return "mask \(formula.text)"
        case .save(let save): return save.place.literal.map { "save \($0)" } ?? word
        case .append(let append): return append.place.literal.map { "append \($0)" } ?? word
        case .files(let finding): return "files \(finding.patterns.map(\.text).joined(separator: ", "))"
        case .file(let work):
            let places = work.places.compactMap(\.literal)
            return places.count == work.places.count ? "\(word) \(places.joined(separator: ", "))" : word
        default: return word
        }
    }
}
