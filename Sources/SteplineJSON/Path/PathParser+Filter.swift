extension PathParser {
    /// Parses a disjunction of conjunctions of tests.
    mutating func condition() throws(JSONError) -> JSONPath.Condition {
        depth += 1
        defer { depth -= 1 }
        guard depth <= PathParser.maximumDepth else { throw error("Filters are nested too deeply") }
        var alternatives = [try conjunction()]
        while takeOperator("||") { alternatives.append(try conjunction()) }
        return alternatives.count == 1 ? alternatives[0] : .any(alternatives)
    }

    private mutating func conjunction() throws(JSONError) -> JSONPath.Condition {
        var parts = [try basic()]
        while takeOperator("&&") { parts.append(try basic()) }
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    private mutating func takeOperator(_ text: StaticString) -> Bool {
        let before = position
        skipSpace()
        guard take(text) else {
            position = before
            return false
        }
        skipSpace()
        return true
    }

    private mutating func basic() throws(JSONError) -> JSONPath.Condition {
        let isNegated = take("!")
        if isNegated { skipSpace() }
        if take("(") {
            skipSpace()
            let inner = try condition()
            skipSpace()
            guard take(")") else { throw error("A closing parenthesis is expected") }
            return isNegated ? .not(inner) : inner
        }
        let start = position
        let term = try term()
        if !isNegated, let comparison = comparison() {
            skipSpace()
            let left = try operand(term, at: start)
            let place = position
            let right = try operand(self.term(), at: place)
            return .compare(left, comparison, right)
        }
        let test = try test(term, at: start)
        return isNegated ? .not(test) : test
    }

    private mutating func comparison() -> JSONPath.Comparison? {
        let before = position
        skipSpace()
        if take("==") { return .equal }
        if take("!=") { return .unequal }
        if take("<=") { return .lessOrEqual }
        if take(">=") { return .greaterOrEqual }
        if take("<") { return .less }
        if take(">") { return .greater }
        position = before
        return nil
    }

    /// A term that can be tested alone, compared or passed as an argument.
    enum Term {
        case literal(JSON)
        case query(JSONPath.Query)
        case value(JSONPath.Operand)
        case logical(JSONPath.Condition)
    }

    mutating func term() throws(JSONError) -> Term {
        switch peek {
        case UInt8(ascii: "@"), UInt8(ascii: "$"):
            let isRelative = peek == UInt8(ascii: "@")
            position += 1
            depth += 1
            defer { depth -= 1 }
            guard depth <= PathParser.maximumDepth else { throw error("Filters are nested too deeply") }
            return .query(JSONPath.Query(isRelative: isRelative, segments: try segments()))
        case .some(0x61...0x7A):
            if let function = try function() { return function }
        default:
            break
        }
        guard let literal = try literal() else { throw error("A query, function or literal is expected") }
        return .literal(literal)
    }

    private func operand(_ term: Term, at start: Int) throws(JSONError) -> JSONPath.Operand {
        switch term {
        case .literal(let value): return .literal(value)
        case .value(let operand): return operand
        case .query(let query) where query.isSingular: return .query(query)
        case .query: throw misplaced("Only a query for a single value can be compared", start)
        case .logical: throw misplaced("A truth can't be compared", start)
        }
    }

    private func test(_ term: Term, at start: Int) throws(JSONError) -> JSONPath.Condition {
        switch term {
        case .query(let query): return .exists(query)
        case .logical(let condition): return condition
        case .literal: throw misplaced("A literal must be compared", start)
        case .value: throw misplaced("The function's value must be compared", start)
        }
    }

    func misplaced(_ message: String, _ start: Int) -> JSONError {
        var copy = self
        copy.position = start
        return copy.error(message)
    }
}
