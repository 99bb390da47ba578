extension PathEvaluator {
    /// What an operand stands for.
    enum Value {
        case nothing
        case json(JSON)
        case number(Int)
    }

    mutating func holds(_ condition: JSONPath.Condition, _ node: Int) throws(JSONError) -> Bool {
        switch condition {
        case .any(let parts):
            for part in parts where try holds(part, node) { return true }
            return false
        case .all(let parts):
            for part in parts where try !holds(part, node) { return false }
            return true
        case .not(let inner):
            return try !holds(inner, node)
        case .exists(let query):
            return try !nodes(query, node).isEmpty
        case .compare(let left, let comparison, let right):
            return compare(try value(left, node), comparison, try value(right, node))
        case .matches(let subject, let pattern, let isWhole):
            guard case .json(let json) = try value(subject, node), let text = json.string,
                let regexp = try regexp(pattern, node)
            else { return false }
            return regexp.matches(text, isWhole: isWhole)
        }
    }

    private mutating func regexp(_ pattern: JSONPath.Pattern, _ node: Int) throws(JSONError) -> IRegexp? {
        switch pattern {
        case .fixed(let regexp): return regexp
        case .computed(let operand):
            guard case .json(let json) = try value(operand, node), let text = json.string else { return nil }
            return IRegexp(text)
        }
    }

    private mutating func nodes(_ query: JSONPath.Query, _ node: Int) throws(JSONError) -> [Int] {
        try nodes(query.segments, from: query.isRelative ? node : root)
    }

    private mutating func value(_ operand: JSONPath.Operand, _ node: Int) throws(JSONError) -> Value {
        switch operand {
        case .literal(let json):
            return .json(json)
        case .query(let query), .value(let query):
            let found = try nodes(query, node)
            return found.count == 1 ? .json(JSON(tape: tape, index: found[0])) : .nothing
        case .count(let query):
            return .number(try nodes(query, node).count)
        case .length(let operand):
            guard case .json(let json) = try value(operand, node) else { return .nothing }
            if let text = json.string { return .number(text.unicodeScalars.count) }
            return json.word.isContainer ? .number(json.count) : .nothing
        }
    }

    private func compare(_ left: Value, _ comparison: JSONPath.Comparison, _ right: Value) -> Bool {
        switch comparison {
        case .equal: isEqual(left, right)
        case .unequal: !isEqual(left, right)
        case .less: isLess(left, right)
        case .greater: isLess(right, left)
        case .lessOrEqual: isLess(left, right) || isEqual(left, right)
        case .greaterOrEqual: isLess(right, left) || isEqual(left, right)
        }
    }

    private func isEqual(_ left: Value, _ right: Value) -> Bool {
        switch (left, right) {
        case (.nothing, .nothing): true
        case (.json(let a), .json(let b)): a == b
        case (.number(let a), .number(let b)): a == b
        case (.number(let number), .json(let json)), (.json(let json), .number(let number)):
            json.int == number
        default: false
        }
    }

    private func isLess(_ left: Value, _ right: Value) -> Bool {
        switch (left, right) {
        case (.number(let a), .number(let b)): a < b
        case (.number(let a), .json(let b)): JSON(a).isLess(than: b)
        case (.json(let a), .number(let b)): a.isLess(than: JSON(b))
        case (.json(let a), .json(let b)): a.isLess(than: b)
        default: false
        }
    }
}

extension JSON {
    /// Whether both are numbers or both strings and this one comes first.
    fileprivate func isLess(than other: JSON) -> Bool {
        if word.isText, other.word.isText {
            return tape.text(word).utf8.lexicographicallyPrecedes(other.tape.text(other.word).utf8)
        }
        guard word.isNumber, other.word.isNumber else { return false }
        if let mine = int64, let theirs = other.int64 { return mine < theirs }
        let (mine, theirs) = (approximate, other.approximate)
        return mine < theirs
    }

    /// The number as a double, infinite where it is too large for one.
    private var approximate: Double { double ?? (literal?.hasPrefix("-") == true ? -.infinity : .infinity) }
}
