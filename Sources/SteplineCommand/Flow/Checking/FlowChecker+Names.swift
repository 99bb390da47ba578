import SteplineJSON

/// The place of a formula, which decides the names that it may use.
struct FlowSurroundings {
    let task: FlowTask
    /// The kind of `it`.
    var kind: FlowKind
    var hasItem: Bool
}

extension FlowChecker {
    mutating func check(_ references: [FlowExpression.Reference], in place: FlowSurroundings) {
        for reference in references { check(reference, in: place) }
    }

    private mutating func check(_ reference: FlowExpression.Reference, in place: FlowSurroundings) {
        switch reference.name {
        case .parameter(let name): checkParameter(name, reference.offset)
        case .secret(let name): checkSecret(name, reference.offset)
        case .task(let name): checkResult(name, reference.offset, place.task)
        case .index where place.hasItem && place.task.grows:
            issues.add(
                .unknownName, at: reference.offset, "there is no index in a task with a step grow",
                hint: "elements are found in any order: use item")
        case .item, .index:
            guard !place.hasItem else { return }
            let word = reference.name == .item ? "item" : "index"
            issues.add(
                .unknownName, at: reference.offset, "there is no \(word) here",
                hint: "only steps of a task with map have one")
        case .run:
            guard !place.task.runs.isLast else { return }
            issues.add(
                .unknownName, at: reference.offset, "there is no run here",
                hint: "only a task that runs always, onFailure or afterSuccess has one")
        case .it:
            switch place.kind {
            case .nothing:
                issues.add(.unknownName, at: reference.offset, "there is no \"it\" yet: nothing comes before")
            case .document:
                issues.add(
                    .chain, at: reference.offset, "\"it\" is an XML document, which formulas can't look into",
                    hint: "select from it first")
            case .bytes, .json, .unknown: break
            }
        }
    }

    var kindOfParameter: FlowExpression.Node.Kinds { file.kind(ofParameter:) }

    /// Checks that a condition can be true or false.
    mutating func checkTruth(_ formula: FlowExpression, _ what: String) {
        for (offset, kind) in formula.root.notTruths(by: kindOfParameter) {
            issues.add(
                .wrongType, at: offset, "\(what) expects true or false, not \(kind.article)",
                hint: kind.comparing)
        }
    }

    /// Checks the operations on values of known kinds.
    mutating func checkFormulas() {
        for formula in file.formulas {
            for mistake in formula.root.mistakes(by: kindOfParameter)
            where !issues.hasError(at: mistake.offset) {
                issues.add(.wrongType, at: mistake.offset, mistake.message, hint: mistake.hint)
            }
        }
    }

    mutating func checkParameter(_ name: String, _ offset: Int) {
        guard file.parameter(name) == nil else {
            usedParameters.insert(name)
            return
        }
        let hint: String?
        if tasks[name] != nil {
            hint = "the result of the task is tasks.\(name)"
        } else {
            let known = file.parameters.map(\.name) + FlowExpression.Name.reserved
            hint =
                issues.guess(name, among: known)
                ?? (file.parameters.isEmpty ? "the file declares no parameters" : nil)
        }
        issues.add(.unknownName, at: offset, "there is no parameter \"\(name)\"", hint: hint)
    }

    /// Checks a formula's use of another task's result.
    private mutating func checkResult(_ name: String, _ offset: Int, _ task: FlowTask) {
        guard checkPrerequisite(name, offset, task), kinds[name] == .document else { return }
        tellDocument(name, offset)
    }

    private mutating func tellDocument(_ name: String, _ offset: Int) {
        issues.add(
            .chain, at: offset,
            "the result of \"\(name)\" is an XML document, which formulas can't look into",
            hint: "select from it in \"\(name)\", or begin with { use: \"\(name)\" }")
    }

    /// Checks the result that the file returns to a file that runs it.
    mutating func checkResult() {
        for reference in file.result?.references ?? [] {
            switch reference.name {
            case .parameter(let name): checkParameter(name, reference.offset)
            case .secret(let name): checkSecret(name, reference.offset)
            case .task(let name):
                if let task = tasks[name] {
                    if task.runs.isLast {
                        issues.add(.notAPrerequisite, at: reference.offset, "\"\(name)\" has no result")
                    } else if kinds[name] == .document {
                        tellDocument(name, reference.offset)
                    }
                } else {
                    issues.add(
                        .unknownTask, at: reference.offset, "there is no task \"\(name)\"",
                        hint: issues.guess(name, among: file.tasks.map(\.name)))
                }
            case .it, .item, .index, .run:
                issues.add(
                    .unknownName, at: reference.offset, "a file's result is made of tasks and parameters only"
                )
            }
        }
    }

    /// Returns whether a task is a prerequisite of another task; reports it if not.
    mutating func checkPrerequisite(_ name: String, _ offset: Int, _ task: FlowTask) -> Bool {
        if task.after.contains(where: { $0.name == name }) { return tasks[name] != nil }
        if name == task.name {
            issues.add(.notAPrerequisite, at: offset, "\"\(name)\" can't use its own result")
        } else if tasks[name] == nil {
            issues.add(
                .unknownTask, at: offset, "there is no task \"\(name)\"",
                hint: issues.guess(name, among: file.tasks.map(\.name)))
        } else {
            issues.add(
                .notAPrerequisite, at: offset, "\"\(task.name)\" doesn't wait for \"\(name)\"",
                hint: "add \"\(name)\" to its after")
        }
        return false
    }
}
