import SteplineJSON

/// The static type of formulas.
extension FlowExpression.Node {
    /// Returns the kind of the value if it is known before the run.
    func kind(by parameters: (String) -> JSON.Kind?) -> JSON.Kind? {
        switch kind {
        case .literal(let value): return value.kind
        case .name(.parameter(let name)): return parameters(name)
        case .name(.secret): return .string
        case .name(.index): return .number
        case .name, .member, .element: return nil
        case .not: return .bool
        case .negative: return .number
        case .binary(let operation, let left, let right):
            return operation.kind(of: left.kind(by: parameters), right.kind(by: parameters))
        case .choice(_, let yes, let no):
            let kind = yes.kind(by: parameters)
            return kind == no.kind(by: parameters) ? kind : nil
        case .call(let function, _): return function.gives
        case .list: return .array
        case .object: return .object
        }
    }

    /// Returns the operands that must be true or false and can't be, with their kinds.
    ///
    /// Of nested ones only the outermost is returned.
    func notTruths(by parameters: (String) -> JSON.Kind?) -> [(offset: Int, kind: JSON.Kind)] {
        if let known = kind(by: parameters), known != .bool { return [(offset, known)] }
        switch kind {
        case .not(let part): return part.notTruths(by: parameters)
        case .binary(let operation, let left, let right) where operation == .and || operation == .or:
            return left.notTruths(by: parameters) + right.notTruths(by: parameters)
        case .binary(.otherwise, _, let right): return right.notTruths(by: parameters)
        case .choice(let condition, let yes, let no):
            return [condition, yes, no].flatMap { $0.notTruths(by: parameters) }
        default: return []
        }
    }
}

extension FlowExpression.Operator {
    /// Returns the kind of the result for operands of these kinds, if it is known.
    fileprivate func kind(of left: JSON.Kind?, _ right: JSON.Kind?) -> JSON.Kind? {
        switch self {
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .and, .or: .bool
        case .subtract, .multiply, .divide, .remainder: .number
        case .add: left == .string || right == .string ? .string : left == .number ? right : nil
        case .otherwise: left == right || left == .null ? right : nil
        }
    }
}
