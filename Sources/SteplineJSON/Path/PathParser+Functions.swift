extension PathParser {
    /// Parses a function and its arguments; returns nil if no function starts here.
    mutating func function() throws(JSONError) -> Term? {
        let start = position
        while let byte = peek, byte &- 0x61 < 26 || byte &- 0x30 < 10 || byte == UInt8(ascii: "_") {
            position += 1
        }
        let name = String(decoding: bytes[start..<position], as: UTF8.self)
        guard take("(") else {
            position = start
            return nil
        }
        depth += 1
        defer { depth -= 1 }
        guard depth <= PathParser.maximumDepth else { throw error("Functions are nested too deeply") }
        var arguments: [(term: Term, start: Int)] = []
        skipSpace()
        while !take(")") {
            if !arguments.isEmpty {
                guard take(",") else { throw error("A comma or closing parenthesis is expected") }
                skipSpace()
            }
            let place = position
            arguments.append((try term(), place))
            skipSpace()
        }
        return try apply(name, arguments, at: start)
    }

    private func apply(
        _ name: String, _ arguments: [(term: Term, start: Int)], at start: Int
    ) throws(JSONError) -> Term {
        let parameterCounts = ["length": 1, "count": 1, "value": 1, "match": 2, "search": 2]
        guard let count = parameterCounts[name] else {
            throw misplaced("There is no function \(name)", start)
        }
        guard arguments.count == count else {
            throw misplaced("\(name) takes \(count) argument\(count == 1 ? "" : "s")", start)
        }
        switch name {
        case "length": return .value(.length(try value(arguments[0])))
        case "count": return .value(.count(try nodes(arguments[0])))
        case "value": return .value(.value(try nodes(arguments[0])))
        default:
            let subject = try value(arguments[0])
            let pattern = try value(arguments[1])
            return .logical(
                .matches(
                    subject, pattern: try compiled(pattern, at: arguments[1].start), isWhole: name == "match")
            )
        }
    }

    private func compiled(_ pattern: JSONPath.Operand, at start: Int) throws(JSONError) -> JSONPath.Pattern {
        guard case .literal(let literal) = pattern else { return .computed(pattern) }
        guard let text = literal.string else { return .fixed(nil) }
        do {
            return .fixed(try IRegexp(text))
        } catch {
            let place = misplaced(error.message, start)
            throw JSONError(
                error.code, message: place.message, byteOffset: place.byteOffset, line: place.line,
                column: place.column)
        }
    }

    private func value(_ argument: (term: Term, start: Int)) throws(JSONError) -> JSONPath.Operand {
        switch argument.term {
        case .literal(let value): return .literal(value)
        case .value(let operand): return operand
        case .query(let query) where query.isSingular: return .query(query)
        default: throw misplaced("A single value is expected", argument.start)
        }
    }

    private func nodes(_ argument: (term: Term, start: Int)) throws(JSONError) -> JSONPath.Query {
        guard case .query(let query) = argument.term else {
            throw misplaced("A query is expected", argument.start)
        }
        return query
    }
}
