extension FlowStep {
    /// All names in the step's formulas.
    var references: [FlowExpression.Reference] {
        switch verb {
        case .load(let load): load.references
        case .pages(let pages): pages.load.references
        case .value(let literal): literal.references
        case .first(_, let standard): standard?.references ?? []
        case .transform(let formula), .each(let formula), .filter(let formula), .mask(let formula):
            formula.references
        case .grow(_, let form): form?.references ?? []
        case .run(let program):
            program.arguments.flatMap(\.references) + program.environment.flatMap(\.value.references)
                + (program.folder?.references ?? [])
        case .save(let save): save.place.references
        case .append(let append): append.place.references
        case .files(let finding): finding.patterns.flatMap(\.references)
        case .file(let work): work.places.flatMap(\.references) + (work.target?.references ?? [])
        case .use, .parse, .select, .columns, .broken: []
        }
    }

    /// Whether the step ignores the previous value.
    var isSource: Bool {
        switch verb {
        case .load, .pages, .use, .value, .files: true
        default: false
        }
    }

    /// Whether the step loads a complete response.
    var givesAnswer: Bool { if case .load(let load) = verb { load.isAnswer } else { false } }

    /// Whether the step has a purpose besides its value.
    var isEffect: Bool {
        switch verb {
        case .save, .append, .file, .run, .mask, .grow: true
        default: false
        }
    }

    /// Whether names have their usual meaning; in `each`, `filter` and `grow`, `it` is the element.
    var checksNames: Bool {
        switch verb {
        case .each, .filter, .grow: false
        default: true
        }
    }
}

extension FlowTask {
    /// All names in the task's formulas, except those of declared files, which may use parameters only.
    var references: [FlowExpression.Reference] {
        steps.flatMap(\.references) + (map?.references ?? []) + (when?.references ?? [])
            + (flow?.parameters.flatMap(\.value.references) ?? [])
    }
}

extension FlowLoad {
    /// All names in its formulas.
    var references: [FlowExpression.Reference] {
        place.references + headers.flatMap(\.value.references) + (body?.references ?? [])
    }
}
