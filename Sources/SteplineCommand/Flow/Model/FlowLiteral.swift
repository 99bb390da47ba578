import SteplineJSON

/// A value in the file, whose texts may contain formulas.
indirect enum FlowLiteral: Sendable {
    case plain(JSON)
    case text(FlowTemplate)
    case list([FlowLiteral])
    case object([(key: String, value: FlowLiteral)])

    var references: [FlowExpression.Reference] {
        switch self {
        case .plain: []
        case .text(let template): template.references
        case .list(let parts): parts.flatMap(\.references)
        case .object(let members): members.flatMap(\.value.references)
        }
    }

    /// Returns the kind of the value if it is known before the run.
    func kind(by parameters: FlowExpression.Node.Kinds) -> JSON.Kind? {
        switch self {
        case .plain(let json): json.kind
        case .text(let template):
            if let formula = template.onlyFormula { formula.root.kind(by: parameters) } else { .string }
        case .list: .array
        case .object: .object
        }
    }

    func value(by evaluator: ExpressionEvaluator) throws -> JSON {
        switch self {
        case .plain(let json): return json
        case .text(let template): return try template.value(by: evaluator)
        case .list(let parts): return try JSON(elements: parts.map { try $0.part(by: evaluator) })
        case .object(let members):
            return try JSON(members: members.map { (key: $0.key, value: try $0.value.part(by: evaluator)) })
        }
    }

    /// Returns the value charged as part of another value.
    private func part(by evaluator: ExpressionEvaluator) throws -> JSON {
        let value = try value(by: evaluator)
        guard case .text(let template) = self else { return value }
        return try evaluator.part(value, at: template.offset)
    }
}
