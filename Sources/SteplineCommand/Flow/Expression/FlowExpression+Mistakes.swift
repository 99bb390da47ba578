import SteplineJSON

/// The operations that fail for all possible values.
extension FlowExpression.Node {
    private typealias Node = FlowExpression.Node
    typealias Kinds = (String) -> JSON.Kind?

    /// Returns all errors that will occur whenever the formula is evaluated.
    func mistakes(by parameters: Kinds) -> [ExpressionError] {
        parts.flatMap { $0.mistakes(by: parameters) } + ownMistakes(by: parameters)
    }

    private var parts: [Node] {
        switch kind {
        case .literal, .name: []
        case .member(let part, _), .not(let part), .negative(let part): [part]
        case .element(let first, let second), .binary(_, let first, let second): [first, second]
        case .choice(let condition, let yes, let no): [condition, yes, no]
        case .call(_, let parts), .list(let parts): parts
        case .object(let members): members.map(\.value)
        }
    }

    private func ownMistakes(by parameters: Kinds) -> [ExpressionError] {
        switch kind {
        case .literal, .name, .list, .object: return []
        case .not(let part), .choice(let part, _, _): return part.truthMistakes(by: parameters)
        case .negative(let part): return part.numberMistakes(by: parameters)
        case .member(let part, let name):
            guard let known = part.kind(by: parameters), known != .object, known != .null else { return [] }
            return [mistake("\(known.article) has no member \"\(name)\"")]
        case .element(let part, let key):
            let (known, by) = (part.kind(by: parameters), key.kind(by: parameters))
            let fits: Set<JSON.Kind?> = known == .array ? [.number] : known == .object ? [.string] : []
            guard let known, known != .null, fits.isEmpty || by != nil, !fits.contains(by) else { return [] }
            return [mistake("\(known.article) has no elements" + (by.map { " by \($0.article)" } ?? ""))]
        case .call(let function, let arguments):
            return zip(arguments, function.takes(arguments.count)).flatMap { argument, expected in
                argument.mistakes(as: expected, of: function, by: parameters)
            }
        case .binary(let operation, let left, let right):
            return mistakes(of: operation, left, right, by: parameters)
        }
    }

    private func mistakes(
        as expected: FunctionArgument, of function: FlowFunction, by parameters: Kinds
    ) -> [ExpressionError] {
        var mistakes: [ExpressionError] = []
        func tell(_ part: Node, _ kinds: Set<JSON.Kind>?) {
            guard let kinds, let known = part.kind(by: parameters), !kinds.contains(known) else { return }
            mistakes.append(
                part.mistake(
                    "\(function.name)(): " + FlowFunction.expected(kinds, not: known),
                    hint: function.usage))
        }
        tell(self, expected.kinds)
        if case .list(let parts) = kind { for part in parts { tell(part, expected.elements) } }
        return mistakes
    }

    private func mistakes(
        of operation: FlowExpression.Operator, _ left: Node, _ right: Node, by parameters: Kinds
    ) -> [ExpressionError] {
        let (first, second) = (left.kind(by: parameters), right.kind(by: parameters))
        switch operation {
        case .and, .or: return [left, right].flatMap { $0.truthMistakes(by: parameters) }
        case .otherwise, .equal, .notEqual: return []
        case .subtract, .multiply, .divide, .remainder:
            return [left, right].flatMap { $0.numberMistakes(by: parameters) }
        case .add:
            let joined: Set<JSON.Kind> = [.string, .number, .bool]
            for (part, known) in [(left, first), (right, second)] {
                guard let known, !joined.contains(known) else { continue }
                return [part.mistake("\(known.article) can't be added or joined")]
            }
            guard let first, let second, first != .string, second != .string,
                first == .bool || second == .bool
            else { return [] }
            return [mistake("\(first.article) + \(second.article) can't be computed")]
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            let compared: Set<JSON.Kind> = [.string, .number]
            for (part, known) in [(left, first), (right, second)] {
                guard let known, !compared.contains(known) else { continue }
                return [part.mistake("\(known.article) can't be compared by \(operation.rawValue)")]
            }
            guard let first, let second, first != second else { return [] }
            return [
                mistake("\(first.article) and \(second.article) can't be compared by \(operation.rawValue)")
            ]
        }
    }

    private func truthMistakes(by parameters: Kinds) -> [ExpressionError] {
        notTruths(by: parameters).map { offset, known in
            ExpressionError(
                offset: offset, message: "expected true or false, not \(known.article)",
                hint: known.comparing)
        }
    }

    private func numberMistakes(by parameters: Kinds) -> [ExpressionError] {
        guard let known = kind(by: parameters), known != .number else { return [] }
        let hint = known == .string ? "number(text) converts a text" : nil
        return [mistake("expected a number, not \(known.article)", hint: hint)]
    }

    private func mistake(_ message: String, hint: String? = nil) -> ExpressionError {
        ExpressionError(offset: offset, message: message, hint: hint)
    }
}

extension JSON.Kind {
    /// A hint on how to convert such a value to a condition.
    var comparing: String? { self == .null ? nil : "compare it: ==, !=, <, >" }
}
