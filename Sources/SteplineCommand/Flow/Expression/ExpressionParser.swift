import SteplineJSON

/// Parses a formula by recursive descent; binary operators by precedence climbing.
///
/// The depth of brackets and of the tree is limited, so that neither parsing nor evaluation overflows the stack. The
/// first error is thrown with its offset in the file.
struct ExpressionParser {
    /// The largest depth of brackets and of nested nodes.
    static let maximumDepth = 64

    private typealias Node = FlowExpression.Node
    private typealias Kind = FlowExpression.Kind

    private var lexer: ExpressionLexer
    private var token: ExpressionLexer.Token = .end
    private var start = 0
    private var nesting = 0
    private var references: [FlowExpression.Reference] = []

    private init(_ text: FlowText, _ bytes: [UInt8], from start: Int) throws(ExpressionError) {
        lexer = ExpressionLexer(text, bytes, from: start)
        try advance()
    }

    /// Parses a text that is one formula.
    static func parse(_ text: FlowText) throws(ExpressionError) -> FlowExpression {
        var parser = try ExpressionParser(text, Array(text.string.utf8), from: 0)
        if parser.token == .end { throw parser.error("expected an expression") }
        let root = try parser.expression()
        if parser.token != .end { throw parser.error("unexpected \(parser.found)") }
        return FlowExpression(text: text.string, root: root, references: parser.references)
    }

    /// Parses a formula inside a text up to its closing brace; returns the formula and the position after it.
    static func parse(
        embeddedIn text: FlowText, _ bytes: [UInt8], from start: Int
    ) throws(ExpressionError) -> (FlowExpression, end: Int) {
        var parser = try ExpressionParser(text, bytes, from: start)
        if parser.token == .sign("}") { throw parser.error("expected an expression between the braces") }
        let root = try parser.expression()
        guard parser.token == .sign("}") else {
            throw parser.error(
                parser.token == .end ? "\"${\" is never closed" : "unexpected \(parser.found)")
        }
        let written = String(decoding: bytes[start..<parser.start], as: UTF8.self)
        return (
            FlowExpression(text: written, root: root, references: parser.references), parser.start + 1
        )
    }

    // MARK: Tokens

    private mutating func advance() throws(ExpressionError) { (token, start) = try lexer.next() }

    private mutating func take(_ sign: String) throws(ExpressionError) -> Bool {
        guard token == .sign(sign) else { return false }
        try advance()
        return true
    }

    private mutating func expect(_ sign: String) throws(ExpressionError) {
        guard try take(sign) else { throw error("expected \"\(sign)\", not \(found)") }
    }

    private func error(_ message: String, hint: String? = nil) -> ExpressionError {
        lexer.error(message, at: start, hint: hint)
    }

    private var found: String {
        switch token {
        case .word(let word): "\"\(word)\""
        case .number(let literal): literal
        case .text: "a string"
        case .sign(let sign): "\"\(sign)\""
        case .end: "the end"
        }
    }

    private func node(_ kind: Kind, _ offset: Int, _ parts: Node...) throws(ExpressionError) -> Node {
        try node(kind, offset, parts)
    }

    private func node(_ kind: Kind, _ offset: Int, _ parts: [Node]) throws(ExpressionError) -> Node {
        let depth = (parts.map(\.depth).max() ?? 0) + 1
        guard depth <= Self.maximumDepth else {
            throw ExpressionError(offset: offset, message: "the expression is too long: take it apart")
        }
        return Node(kind: kind, offset: offset, depth: depth)
    }

    // MARK: Grammar, loosest first

    private mutating func expression() throws(ExpressionError) -> Node {
        nesting += 1
        defer { nesting -= 1 }
        guard nesting <= Self.maximumDepth else { throw error("too many brackets inside each other") }
        let condition = try binary(above: 0)
        let offset = lexer.fileOffset(start)
        guard try take("?") else { return condition }
        let yes = try expression()
        try expect(":")
        let no = try expression()
        return try node(.choice(condition, yes, no), offset, condition, yes, no)
    }

    private mutating func binary(above rank: Int) throws(ExpressionError) -> Node {
        var left = try unary()
        while case .sign(let sign) = token, let operation = FlowExpression.Operator(rawValue: sign),
            operation.rank > rank
        {
            let offset = lexer.fileOffset(start)
            try advance()
            let right = try binary(above: operation.rank)
            left = try node(.binary(operation, left, right), offset, left, right)
        }
        return left
    }

    private mutating func unary() throws(ExpressionError) -> Node {
        nesting += 1
        defer { nesting -= 1 }
        guard nesting <= Self.maximumDepth else { throw error("too many signs in a row") }
        let offset = lexer.fileOffset(start)
        if try take("!") {
            let part = try unary()
            return try node(.not(part), offset, part)
        }
        if try take("-") {
            let part = try unary()
            return try node(.negative(part), offset, part)
        }
        return try postfix()
    }

    private mutating func postfix() throws(ExpressionError) -> Node {
        var value = try primary()
        while true {
            let offset = lexer.fileOffset(start)
            if try take(".") {
                guard case .word(let name) = token else { throw error("expected a name, not \(found)") }
                try advance()
                value = try node(.member(value, name), offset, value)
            } else if try take("[") {
                let key = try expression()
                try expect("]")
                value = try node(.element(value, key), offset, value, key)
            } else {
                return value
            }
        }
    }

    private mutating func primary() throws(ExpressionError) -> Node {
        let offset = lexer.fileOffset(start)
        switch token {
        case .number(let literal):
            try advance()
            return try node(.literal((try? JSON(parsing: literal)) ?? .null), offset)
        case .text(let text):
            try advance()
            return try node(.literal(JSON(text)), offset)
        case .word(let word):
            try advance()
            return try named(word, offset)
        case .sign("("):
            try advance()
            let inner = try expression()
            try expect(")")
            return inner
        case .sign("["):
            try advance()
            let parts = try list(until: "]") { (parser) throws(ExpressionError) in try parser.expression() }
            return try node(.list(parts), offset, parts)
        case .sign("{"):
            try advance()
            let members = try list(until: "}") { (parser) throws(ExpressionError) in try parser.member() }
            return try node(.object(members), offset, members.map(\.value))
        default:
            throw error("expected a value, not \(found)")
        }
    }

    private mutating func list<Part>(
        until end: String, _ read: (inout ExpressionParser) throws(ExpressionError) -> Part
    ) throws(ExpressionError) -> [Part] {
        var parts: [Part] = []
        while token != .sign(end) {
            parts.append(try read(&self))
            guard try take(",") else { break }
        }
        try expect(end)
        return parts
    }

    private mutating func member() throws(ExpressionError) -> (key: String, value: Node) {
        let key: String
        switch token {
        case .word(let word): key = word
        case .text(let text): key = text
        default: throw error("expected a key, not \(found)")
        }
        try advance()
        try expect(":")
        return (key, try expression())
    }

    // MARK: Names

    private mutating func named(_ word: String, _ offset: Int) throws(ExpressionError) -> Node {
        switch word {
        case "true": return try node(.literal(true), offset)
        case "false": return try node(.literal(false), offset)
        case "null": return try node(.literal(.null), offset)
        case "it": return try reference(.it, offset)
        case "item": return try reference(.item, offset)
        case "index": return try reference(.index, offset)
        case "run": return try reference(.run, offset)
        case "tasks": return try reference(.task(try name(after: word)), offset)
        case "secrets": return try reference(.secret(try name(after: word)), offset)
        default: break
        }
        if try take("(") { return try call(word, offset) }
        return try reference(.parameter(word), offset)
    }

    private mutating func reference(
        _ name: FlowExpression.Name, _ offset: Int
    ) throws(ExpressionError) -> Node {
        references.append(FlowExpression.Reference(name: name, offset: offset))
        return try node(.name(name), offset)
    }

    /// Parses the name after `tasks` or `secrets`, which must be known before the run.
    private mutating func name(after word: String) throws(ExpressionError) -> String {
        let what = word == "tasks" ? "a task's name" : "a secret's name"
        let isQuoted = token == .sign("[")
        let isDotted = try take(".")
        let isBracketed = isDotted ? false : try take("[")
        guard isDotted || isBracketed else { throw error("expected \(what), as in \(word).name") }
        switch (isQuoted, token) {
        case (false, .word(let name)), (true, .text(let name)):
            try advance()
            if isQuoted { try expect("]") }
            return name
        default: throw error("expected \(what), as in \(word).name or \(word)['name']")
        }
    }

    private mutating func call(_ word: String, _ offset: Int) throws(ExpressionError) -> Node {
        var starts: [Int] = []
        let arguments = try list(until: ")") { (parser) throws(ExpressionError) in
            starts.append(parser.start)
            return try parser.expression()
        }
        guard let function = FlowFunction.named(word) else {
            let hint = Guess.hint(for: word, among: FlowFunction.all.map(\.name))
            throw ExpressionError(offset: offset, message: "unknown function \(word)()", hint: hint)
        }
        guard function.counts.contains(arguments.count) else {
            let expected =
                function.counts.lowerBound == function.counts.upperBound
                ? "\(function.counts.lowerBound)"
                : "\(function.counts.lowerBound) to \(function.counts.upperBound)"
            throw ExpressionError(
                offset: offset,
                message:
                    "\(word)() takes \(expected) argument\(expected == "1" ? "" : "s"), not \(arguments.count)",
                hint: function.usage)
        }
        if function.takesPattern, case .literal(let value) = arguments[1].kind, let pattern = value.string {
            try check(pattern, from: starts[1] + 1)
        }
        return try node(.call(function, arguments), offset, arguments)
    }

    /// Reports an error in a regular expression, at its place unless the literal has escapes.
    private func check(_ pattern: String, from start: Int) throws(ExpressionError) {
        do {
            _ = try FlowPattern(pattern)
        } catch {
            throw lexer.error(error.message, at: start + error.offset, hint: error.hint)
        }
    }
}
