extension FlowStep {
    /// Every name in the step's formulas.
    var references: [FlowExpression.Reference] {
        switch verb {
        case .load(let load): load.references
        case .pages(let pages): pages.load.references
        case .value(let literal): literal.references
        case .first(_, let standard): standard?.references ?? []
        case .transform(let formula), .each(let formula), .filter(let formula): formula.references
        case .run(let program):
            program.arguments.flatMap(\.references) + program.environment.flatMap(\.value.references)
        case .save(let save): save.place.references
        case .append(let append): append.place.references
        case .files(let finding): finding.patterns.flatMap(\.references)
        case .file(let work): work.places.flatMap(\.references) + (work.target?.references ?? [])
        case .use, .parse, .select, .columns, .broken: []
        }
    }

    /// Whether it makes its value of something else than what came before.
    var isSource: Bool {
        switch verb {
        case .load, .pages, .use, .value, .files: true
        default: false
        }
    }

    /// Whether it loads an answer as a whole.
    var givesAnswer: Bool { if case .load(let load) = verb { load.isAnswer } else { false } }

    /// Whether it may be there for what it does, whatever becomes of its value.
    var isEffect: Bool {
        switch verb {
        case .save, .append, .file, .run: true
        default: false
        }
    }

    /// Whether its names mean what they mean elsewhere; in `each` and `filter`, `it` is the element.
    var checksNames: Bool {
        switch verb {
        case .each, .filter: false
        default: true
        }
    }
}

extension FlowTask {
    /// Every name in its formulas, but in those for its files, which know parameters only.
    var references: [FlowExpression.Reference] {
        steps.flatMap(\.references) + (map?.references ?? []) + (when?.references ?? [])
            + (flow?.parameters.flatMap(\.value.references) ?? [])
    }
}

extension FlowLoad {
    /// Every name in its formulas.
    var references: [FlowExpression.Reference] {
        place.references + headers.flatMap(\.value.references) + (body?.references ?? [])
    }
}
