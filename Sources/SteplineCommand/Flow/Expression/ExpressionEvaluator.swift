import SteplineJSON
import SteplineSupport

/// Evaluates a formula by walking its tree.
///
/// A missing member or element is null, and so is every member of null: `a.b.c ?? "none"`. All other mismatches are
/// errors with their place. The parser limits the depth of the tree, so recursion can't overflow the stack.
/// `ExpressionBudget` limits time and memory.
struct ExpressionEvaluator {
    private typealias Node = FlowExpression.Node

    /// The budget that all evaluated formulas share.
    private let budget: ExpressionBudget
    /// Returns the value of a name.
    private let lookUp: (FlowExpression.Name) throws -> JSON
    /// The value of `now()`; nil for the current time.
    private let now: JSON?

    init(
        now: JSON? = nil, budget: ExpressionBudget = ExpressionBudget(),
        lookUp: @escaping (FlowExpression.Name) throws -> JSON
    ) {
        self.now = now
        self.budget = budget
        self.lookUp = lookUp
    }

    func value(of expression: FlowExpression) throws -> JSON { try value(expression.root) }

    private func value(_ node: Node) throws -> JSON {
        try budget.checkTime()
        switch node.kind {
        case .literal(let value): return value
        case .name(let name): return try named(name, node)
        case .member(let object, let name): return try member(value(object), name, node)
        case .element(let list, let key): return try element(value(list), value(key), node)
        case .not(let part): return JSON(!(try truth(part)))
        case .negative(let part): return try negative(value(part), node)
        case .binary(let operation, let left, let right): return try binary(operation, left, right, node)
        case .choice(let condition, let yes, let no): return try value(truth(condition) ? yes : no)
        case .call(let function, let arguments):
            if let now, function.name == FlowFunction.now.name { return now }
            let values = try arguments.map { try value($0) }
            do {
                return try within(node) {
                    let result = try function.call(values, steps: budget.patternSteps)
                    if function.makesMuch { try budget.spend(copying: result) }
                    return result
                }
            } catch let error as FlowFunction.Misuse {
                throw ExpressionError(offset: node.offset, message: "\(function.name)(): \(error.message)")
            }
        case .list(let parts): return try JSON(elements: parts.map { try copied(value($0), node) })
        case .object(let members):
            return try JSON(members: members.map { (key: $0.key, value: try copied(value($0.value), node)) })
        }
    }

    /// Adds the place of a node to budget errors.
    private func within<Result>(_ node: Node, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as ExpressionBudget.Exceeded {
            throw self.error(node, error.message)
        }
    }

    private func copied(_ value: JSON, _ node: Node) throws -> JSON { try part(value, at: node.offset) }

    /// Charges a value that becomes part of another value.
    func part(_ value: JSON, at offset: Int) throws -> JSON {
        do {
            try budget.spend(copying: value)
        } catch {
            throw ExpressionError(offset: offset, message: error.message)
        }
        return value
    }

    private func named(_ name: FlowExpression.Name, _ node: Node) throws -> JSON {
        do {
            return try lookUp(name)
        } catch let error as ExpressionError {
            throw error
        } catch {
            throw ExpressionError(offset: node.offset, message: "\(error)")
        }
    }

    private func member(_ value: JSON, _ name: String, _ node: Node) throws -> JSON {
        switch value.kind {
        case .object: return value[name] ?? .null
        case .null: return .null
        default: throw error(node, "\(value.article) has no member \"\(name)\"")
        }
    }

    private func element(_ value: JSON, _ key: JSON, _ node: Node) throws -> JSON {
        switch (value.kind, key.kind) {
        case (.null, _): return .null
        case (.object, .string): return value[key.string ?? ""] ?? .null
        case (.array, .number):
            guard let position = key.int else { throw error(node, "\(key) is no whole number") }
            return value[position] ?? .null
        default: throw error(node, "\(value.article) has no elements by \(key.article)")
        }
    }

    private func truth(_ part: Node) throws -> Bool {
        let value = try value(part)
        guard let truth = value.bool else {
            throw error(part, "expected true or false, not \(value.article)")
        }
        return truth
    }

    private func negative(_ value: JSON, _ node: Node) throws -> JSON {
        if let whole = value.int, whole != .min { return JSON(-whole) }
        guard let number = value.double else { throw error(node, "expected a number, not \(value.article)") }
        return JSON(computed: -number)
    }

    private func binary(
        _ operation: FlowExpression.Operator, _ left: Node, _ right: Node, _ node: Node
    ) throws -> JSON {
        switch operation {
        case .and: return JSON(try truth(left) && truth(right))
        case .or: return JSON(try truth(left) || truth(right))
        case .otherwise:
            let first = try value(left)
            return first.isNull ? try value(right) : first
        case .equal: return JSON(try value(left).isSame(as: value(right)))
        case .notEqual: return JSON(!(try value(left).isSame(as: value(right))))
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            return JSON(try compare(operation, value(left), value(right), node))
        case .add, .subtract, .multiply, .divide, .remainder:
            return try compute(operation, value(left), value(right), node)
        }
    }

    private func compare(
        _ operation: FlowExpression.Operator, _ left: JSON, _ right: JSON, _ node: Node
    ) throws -> Bool {
        func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
            switch operation {
            case .less: left < right
            case .lessOrEqual: left <= right
            case .greater: left > right
            default: left >= right
            }
        }
        if let left = left.double, let right = right.double { return holds(left, right) }
        if let left = left.string, let right = right.string {
            return holds(ExactText(left), ExactText(right))
        }
        throw error(node, "\(left.article) and \(right.article) can't be compared by \(operation.rawValue)")
    }

    private func compute(
        _ operation: FlowExpression.Operator, _ left: JSON, _ right: JSON, _ node: Node
    ) throws -> JSON {
        if operation == .add, left.kind == .string || right.kind == .string {
            guard let first = left.asText, let second = right.asText else {
                throw error(node, "\(left.article) and \(right.article) can't be joined")
            }
            return try copied(JSON(first + second), node)
        }
        guard let first = left.double, let second = right.double else {
            throw error(node, "\(left.article) \(operation.rawValue) \(right.article) can't be computed")
        }
        if operation == .divide || operation == .remainder, second == 0 {
            throw error(node, "division by zero")
        }
        if let first = left.int, let second = right.int, let whole = whole(operation, first, second) {
            return JSON(whole)
        }
        let result =
            switch operation {
            case .add: first + second
            case .subtract: first - second
            case .multiply: first * second
            case .divide: first / second
            default: first.truncatingRemainder(dividingBy: second)
            }
        guard result.isFinite else { throw error(node, "the result is too large") }
        return JSON(computed: result)
    }

    /// Returns the exact integer result if there is one.
    private func whole(_ operation: FlowExpression.Operator, _ left: Int, _ right: Int) -> Int? {
        let (result, overflow) =
            switch operation {
            case .add: left.addingReportingOverflow(right)
            case .subtract: left.subtractingReportingOverflow(right)
            case .multiply: left.multipliedReportingOverflow(by: right)
            case .divide where left % (right == -1 ? 1 : right) == 0: left.dividedReportingOverflow(by: right)
            case .remainder: left.remainderReportingOverflow(dividingBy: right)
            default: (0, true)
            }
        return overflow ? nil : result
    }

    private func error(_ node: Node, _ message: String) -> ExpressionError {
        ExpressionError(offset: node.offset, message: message)
    }
}
