extension PathEvaluator {
    /// The value of an operand.
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
            return try compare(value(left, node), comparison, value(right, node))
        case .matches(let subject, let pattern, let isWhole):
            guard case .json(let json) = try value(subject, node), json.word.isText,
                let matcher = try matcher(pattern, node, isWhole: isWhole)
            else { return false }
            return try matches(json, matcher)
        }
    }

    private mutating func matcher(
        _ pattern: JSONPath.Pattern, _ node: Int, isWhole: Bool
    ) throws(JSONError) -> IRegexpMatcher? {
        switch pattern {
        case .fixed(let regexp):
            guard let regexp else { return nil }
            return matchers.matcher(for: regexp, isWhole: isWhole)
        case .computed(let operand):
            guard case .json(let json) = try value(operand, node), json.word.isText else { return nil }
            try spend(onText: json)
            let (matcher, effort) = try matchers.matcher(forPattern: json.string ?? "", isWhole: isWhole)
            try spend(effort)
            return matcher
        }
    }

    private mutating func matches(_ json: JSON, _ matcher: IRegexpMatcher) throws(JSONError) -> Bool {
        var left = budget
        let isMatch: Bool
        if json.word.isEscaped {
            try spend(onText: json)
            var text = json.tape.text(json.word)
            isMatch = text.withUTF8 { matcher.matches($0, budget: &left) }
        } else {
            isMatch = matcher.matches(json.tape.bytes(json.word), budget: &left)
        }
        try spend(budget - min(left, budget))
        return isMatch
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
            if json.word.isText {
                try spend(onText: json)
                return .number(json.tape.text(json.word).unicodeScalars.count)
            }
            return json.word.isContainer ? .number(json.count) : .nothing
        }
    }

    private mutating func compare(
        _ left: Value, _ comparison: JSONPath.Comparison, _ right: Value
    ) throws(JSONError) -> Bool {
        switch comparison {
        case .equal: return try isEqual(left, right)
        case .unequal: return try !isEqual(left, right)
        case .less: return try isLess(left, right)
        case .greater: return try isLess(right, left)
        case .lessOrEqual:
            if try isLess(left, right) { return true }
            return try isEqual(left, right)
        case .greaterOrEqual:
            if try isLess(right, left) { return true }
            return try isEqual(left, right)
        }
    }

    private mutating func isEqual(_ left: Value, _ right: Value) throws(JSONError) -> Bool {
        switch (left, right) {
        case (.nothing, .nothing): return true
        case (.json(let a), .json(let b)):
            var left = budget
            let isEqual = a.isEqual(to: b, budget: &left)
            try spend(budget - min(left, budget))
            return isEqual
        case (.number(let a), .number(let b)): return a == b
        case (.number(let number), .json(let json)), (.json(let json), .number(let number)):
            return json.int == number
        default: return false
        }
    }

    private mutating func isLess(_ left: Value, _ right: Value) throws(JSONError) -> Bool {
        switch (left, right) {
        case (.number(let a), .number(let b)): return a < b
        case (.number(let a), .json(let b)): return try isLess(.json(JSON(a)), .json(b))
        case (.json(let a), .number(let b)): return try isLess(.json(a), .json(JSON(b)))
        case (.json(let a), .json(let b)):
            try spend(onText: a)
            try spend(onText: b)
            return a.isLess(than: b)
        default: return false
        }
    }

    /// Charges the budget for a scalar: 1 for each 16 bytes of its text.
    private mutating func spend(onText json: JSON) throws(JSONError) {
        if !json.word.isContainer { try spend(json.word.upper >> 4) }
    }
}

extension JSON {
    /// Returns whether both are numbers or both are strings, and this one is less.
    fileprivate func isLess(than other: JSON) -> Bool {
        if word.isText, other.word.isText {
            return tape.text(word).utf8.lexicographicallyPrecedes(other.tape.text(other.word).utf8)
        }
        guard word.isNumber, other.word.isNumber else { return false }
        if let mine: Int64 = integer(), let theirs: Int64 = other.integer() { return mine < theirs }
        let (mine, theirs) = (approximate, other.approximate)
        // Rounding preserves the order. Only numbers that round to the same double need their digits compared.
        if mine != theirs { return mine < theirs }
        return DecimalDigits(storage.bytes(word)).isLess(than: DecimalDigits(other.storage.bytes(other.word)))
    }

    /// The number as a double, infinite if it is out of range.
    private var approximate: Double { double ?? (literal?.hasPrefix("-") == true ? -.infinity : .infinity) }
}
