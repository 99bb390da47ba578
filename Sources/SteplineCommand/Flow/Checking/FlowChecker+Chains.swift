import SteplineJSON
import SteplineSupport

extension FlowChecker {
    /// Checks the steps of a task in order, each against the output of the previous step.
    mutating func checkChain(of task: FlowTask) {
        var place = FlowSurroundings(task: task, kind: .nothing, hasItem: false)
        if let map = task.map {
            check(map.list.references, in: place)
            checkList(of: map)
        }
        if let when = task.when {
            check(when.references, in: place)
            checkTruth(when, "when")
        }
        place.hasItem = task.map != nil
        if let map = task.map {
            var inner = place
            inner.kind = .json(.any)
            for formula in [map.key, map.except].compactMap(\.self) { check(formula.references, in: inner) }
            if let except = map.except { checkTruth(except, "except") }
        }
        if let inclusion = task.flow {
            check(inclusion.parameters.flatMap(\.value.references), in: place)
            kinds[task.name] = .json(.any)
            return
        }
        checkGrowth(of: task)
        place.kind = startingKind(of: task)
        for (number, step) in task.steps.enumerated() {
            // The output of an effect, such as a saved file, isn't wasted.
            if number > 0, !task.steps[number - 1].isEffect { checkWaste(step, place.kind) }
            if number > 0, case .parse = step.verb, task.steps[number - 1].givesAnswer {
                issues.add(
                    .chain, at: step.offset, "a whole answer can't be parsed",
                    hint: "put { transform: \"it.body\" } before it")
            }
            place.kind = check(step, in: place)
        }
        if task.map != nil {
            if place.kind == .document {
                issues.add(
                    .chain, at: task.offset, "each element ends in an XML document, which no list can hold",
                    hint: "end with select, first or columns")
            }
            place.kind = .json(.list(of: place.kind.shape?.kind))
        }
        kinds[task.name] = place.kind
    }

    /// Checks that a step `grow` is the only one of its task, which has a map.
    private mutating func checkGrowth(of task: FlowTask) {
        let growing = task.growingSteps
        if task.map == nil {
            for step in growing {
                issues.add(
                    .wrongValue, at: step.offset, "grow has no meaning in a task without map",
                    hint: "add map: [ … ] with the first elements")
            }
        }
        for step in growing.dropFirst() {
            issues.add(
                .wrongValue, at: step.offset, "a task has one step grow",
                hint: "select both with one path, as //a/@href | //area/@href")
        }
    }

    /// Checks that a map has a list or a combination of lists.
    private mutating func checkList(of map: FlowMap) {
        if case .object(let members) = map.list {
            // Literals were checked by the reader.
            for case (let key, .text(let template)) in members {
                guard template.onlyFormula != nil,
                    let known = FlowLiteral.text(template).kind(by: kindOfParameter), known != .array
                else { continue }
                issues.add(
                    .wrongType, at: template.offset,
                    "map expects a list under \"\(key)\", not \(known.article)")
            }
        } else if let known = map.list.kind(by: kindOfParameter), known != .array, known != .object {
            issues.add(.wrongType, at: map.offset, "map expects a list, not \(known.article)")
        }
    }

    /// Returns the input of the first step: the map's element, or the result of the first prerequisite.
    private func startingKind(of task: FlowTask) -> FlowKind {
        if task.map != nil { return .json(.any) }
        guard let value = task.firstValue else { return .nothing }
        let kind = kinds[value.name] ?? .unknown
        let mayBeMissing = task.allowFailure.contains { $0.name == value.name }
        return mayBeMissing && kind.shape != nil ? .json(.any) : kind
    }

    /// Warns of a step that discards the output of the previous step.
    private mutating func checkWaste(_ step: FlowStep, _ kind: FlowKind) {
        guard kind != .nothing, kind != .unknown, step.isSource,
            !step.references.contains(where: { $0.name == .it })
        else { return }
        issues.warn(
            .unreachable, at: step.offset, "\(step.word) discards the previous value: no step uses it")
    }

    private mutating func check(_ step: FlowStep, in place: FlowSurroundings) -> FlowKind {
        if step.checksNames { check(step.references, in: place) }
        let kind = place.kind
        switch step.verb {
        case .broken: return .unknown
        case .load(let load):
            check(load, step)
            return load.isAnswer ? .json(FlowShape(kind: .object)) : .bytes
        case .pages(let pages):
            check(pages, step)
            return .json(.list())
        case .use(let reference):
            guard checkPrerequisite(reference.name, reference.offset, place.task) else { return .unknown }
            return kinds[reference.name] ?? .unknown
        case .value(let literal): return .json(FlowShape(literal, by: kindOfParameter))
        case .parse(let format):
            if kind == .nothing { missing(step) }
            if kind == .document {
                issues.add(.chain, at: step.offset, "an XML document is already parsed")
            }
            return format.kind
        case .select(let query):
            check([query], step, kind)
            return .json(.list())
        case .first(let query, _):
            check([query], step, kind)
            return .json(.any)
        case .columns(let columns):
            check([columns.rows].compactMap(\.self) + columns.columns.map(\.query), step, kind)
            return .json(.list(of: .object))
        case .transform(let formula):
            return .json(FlowShape(kind: formula.root.kind(by: kindOfParameter)))
        case .each(let formula), .filter(let formula):
            if kind == .nothing { missing(step) }
            if kind == .bytes || kind == .document { unparsed(step, kind) }
            if let known = kind.shape?.kind, known != .array {
                issues.add(
                    .wrongType, at: step.offset, "\(step.word) expects a list, not \(known.article)")
            }
            var inner = place
            inner.kind = .json(.any)
            check(formula.references, in: inner)
            if case .each = step.verb {
                return .json(.list(of: formula.root.kind(by: kindOfParameter)))
            }
            checkTruth(formula, step.word)
            return .json(.list(of: kind.shape?.element))
        case .grow(let query, let form):
            check([query], step, kind)
            if let form {
                var inner = place
                inner.kind = .json(.any)
                check(form.references, in: inner)
            }
            return kind
        case .mask: return kind
        case .run(let program):
            checkArguments(of: program)
            if let folder = program.folder, let path = folder.literal {
                checkPath(path, folder.offset, isWritten: false)
            }
            if program.program.holds("/") {
                checkPath(program.program, program.offset, isWritten: false)
            }
            return .bytes
        case .save(let save):
            check(save, step, kind, place.task)
            if let shape = kind.shape { check(save, shape) }
            return kind
        case .append(let append):
            check(append, step, kind)
            if append.format == nil, let shape = kind.shape { checkEnding(of: append.place, shape) }
            return kind
        case .files(let finding):
            check(finding)
            return .json(.list(of: .string))
        case .file(let work):
            check(work)
            return kind
        }
    }

    mutating func missing(_ step: FlowStep) {
        issues.add(
            .chain, at: step.offset, "\(step.word) has no input value",
            hint: "begin with load, use or value")
    }

    mutating func unparsed(_ step: FlowStep, _ kind: FlowKind) {
        issues.add(
            .chain, at: step.offset,
            kind == .bytes
                ? "\(step.word) expects parsed content" : "\(step.word) can't look into an XML document",
            hint: kind == .bytes ? "put { parse: \"json\" } before it" : "select from it first")
    }

    /// Checks queries against their syntax and their input.
    private mutating func check(_ queries: [FlowQuery], _ step: FlowStep, _ kind: FlowKind) {
        if kind == .nothing { missing(step) }
        if kind == .bytes { unparsed(step, kind) }
        for query in queries {
            switch query.language {
            case .json:
                guard kind == .document else { continue }
                issues.add(
                    .query, at: query.offset, "a JSONPath can't look into an XML document",
                    hint: "write an XPath, as //item/title")
            case .xml(let path):
                if kind.shape != nil {
                    issues.add(
                        .query, at: query.offset, "a JSONPath begins with $", hint: Self.jsonPath(for: path))
                    continue
                }
                checkXPath(path, query.offset)
            }
        }
    }

    private mutating func checkXPath(_ path: String, _ offset: Int) {
        guard let mistake = XPathMistake.find(in: path, namespaces: file.namespaces) else { return }
        issues.add(
            .query, at: offset + mistake.offset,
            mistake.isNamespace ? mistake.reason : "malformed XPath: \(mistake.reason)")
    }

    /// Suggests a JSONPath for a path without its beginning.
    private static func jsonPath(for path: String) -> String? {
        path.begins(with: "/") || path.begins(with: "@") ? nil : "did you mean \"$.\(path)\"?"
    }

    private mutating func check(
        _ save: FlowSave, _ step: FlowStep, _ kind: FlowKind, _ task: FlowTask
    ) {
        if kind == .nothing { missing(step) }
        let isParsed = save.format.map { $0 != .text } ?? false
        if isParsed, kind == .bytes || kind == .document { unparsed(step, kind) }
        guard let path = save.place.literal else { return }
        checkPath(path, save.place.offset, isWritten: true)
        if let other = savedPaths[path], other.name != task.name {
            issues.warn(
                .wrongValue, at: save.place.offset, "\"\(other.name)\" saves to \"\(path)\", too")
        }
        savedPaths[path] = FlowReference(name: task.name, offset: save.place.offset)
    }
}
