/// Checks an expression against the grammar of XPath 1.0, before libxml2 compiles it.
///
/// libxml2 accepts some invalid expressions, and reports others late or without a position.
struct QueryGrammar {
    private var scanner: QueryScanner
    private let namespaces: [String: String]

    static func check(_ expression: String, namespaces: [String: String]) throws(XMLError) {
        var grammar = QueryGrammar(scanner: try QueryScanner(expression), namespaces: namespaces)
        try grammar.expression()
        guard grammar.scanner.next() == nil else {
            throw grammar.scanner.wrong("an operator is missing, or this is one bracket too many")
        }
    }

    /// Parses operands and operators; precedence doesn't matter for the check.
    private mutating func expression() throws(XMLError) {
        try operand()
        while let isUnion = try binaryOperator() {
            // The operands of a union are paths, which have no sign.
            if isUnion { try path() } else { try operand() }
        }
    }

    private mutating func operand() throws(XMLError) {
        while try scanner.take("-") {}
        try path()
    }

    /// Parses an operator; returns whether it is a union, nil if there is none.
    private mutating func binaryOperator() throws(XMLError) -> Bool? {
        guard let byte = scanner.next() else { return nil }
        if try scanner.take("|") { return true }
        if QueryScanner.startsName(byte) {
            let start = scanner.place
            guard let word = scanner.name(), ["and", "or", "div", "mod"].contains(word) else {
                scanner.back(to: start)
                return nil
            }
            try scanner.part()
            return false
        }
        return try scanner.take(anyOf: ["!=", "<=", ">=", "=", "<", ">", "+", "-", "*"]) ? false : nil
    }

    private mutating func path() throws(XMLError) {
        if try scanner.take("//") { return try steps() }
        if try scanner.take("/") {
            // The root alone is a valid path.
            if startsStep() { try steps() }
            return
        }
        guard try primary() else { return try steps() }
        try predicates()
        if try scanner.take(anyOf: ["//", "/"]) { try steps() }
    }

    /// Parses a variable, text, number, function call or parenthesized expression, if one follows.
    private mutating func primary() throws(XMLError) -> Bool {
        if try scanner.literal() { return true }
        if try scanner.number() { return true }
        if try scanner.take("$") {
            guard try qualifiedName() != nil else { throw scanner.wrong("the name of a variable is missing") }
            return true
        }
        if try scanner.take("(") {
            try inside { (grammar) throws(XMLError) in try grammar.expression() }
            try scanner.expect(")", "a bracket isn't closed")
            return true
        }
        return try call()
    }

    private mutating func inside(_ body: (inout Self) throws(XMLError) -> Void) throws(XMLError) {
        try scanner.enter()
        try body(&self)
        scanner.leave()
    }

    private mutating func call() throws(XMLError) -> Bool {
        guard let byte = scanner.next(), QueryScanner.startsName(byte) else { return false }
        let start = scanner.place
        guard let name = scanner.name(), !QueryFunction.isNodeType(name), scanner.next() == UInt8(ascii: "(")
        else {
            // Functions with a prefix don't exist.
            scanner.back(to: start)
            return false
        }
        guard let function = QueryFunction(name) else {
            throw scanner.wrong("there is no function '\(name)'", at: start)
        }
        try scanner.expect("(", "a bracket is missing")
        var count = 0
        if scanner.next() != UInt8(ascii: ")") {
            repeat {
                try inside { (grammar) throws(XMLError) in try grammar.expression() }
                count += 1
            } while try scanner.take(",")
        }
        try scanner.expect(")", "a bracket isn't closed")
        guard function.arguments.contains(count) else {
            throw scanner.wrong("the function '\(name)' doesn't take \(count) arguments", at: start)
        }
        return true
    }

    private mutating func startsStep() -> Bool {
        guard let byte = scanner.next() else { return false }
        return QueryScanner.startsName(byte) || "@.*".utf8.contains(byte)
    }

    private mutating func steps() throws(XMLError) {
        repeat { try step() } while try scanner.take(anyOf: ["//", "/"])
    }

    private mutating func step() throws(XMLError) {
        if try scanner.take(anyOf: ["..", "."]) { return }
        if try !scanner.take("@") { try axis() }
        try nodeTest()
        try predicates()
    }

    /// Parses an axis if one follows.
    private mutating func axis() throws(XMLError) {
        guard scanner.next() != nil else { throw scanner.wrong("a step is missing") }
        let start = scanner.place
        guard let name = scanner.name(), try scanner.take("::") else { return scanner.back(to: start) }
        guard QueryFunction.isAxis(name) else {
            throw scanner.wrong("there is no axis '\(name)'", at: start)
        }
    }

    private mutating func nodeTest() throws(XMLError) {
        if try scanner.take("*") { return }
        _ = scanner.next()
        let start = scanner.place
        guard let name = try qualifiedName(orAny: true) else { throw scanner.wrong("a step is missing") }
        guard scanner.next() == UInt8(ascii: "(") else { return }
        guard QueryFunction.isNodeType(name) else {
            throw scanner.wrong(
                QueryFunction(name) == nil
                    ? "there is no function '\(name)'" : "a function can't be a step", at: start)
        }
        try scanner.expect("(", "a bracket is missing")
        if name == "processing-instruction" { _ = try scanner.literal() }
        try scanner.expect(")", "a bracket isn't closed")
    }

    private mutating func predicates() throws(XMLError) {
        while try scanner.take("[") {
            try inside { (grammar) throws(XMLError) in try grammar.expression() }
            try scanner.expect("]", "a predicate isn't closed")
        }
    }

    /// Parses a name with an optional prefix; after a prefix `*` is also valid.
    private mutating func qualifiedName(orAny: Bool = false) throws(XMLError) -> String? {
        let start = scanner.place
        guard let first = scanner.name() else { return nil }
        try scanner.part()
        guard scanner.peek() == UInt8(ascii: ":"), scanner.peek(1) != UInt8(ascii: ":") else { return first }
        guard namespaces[first] != nil || first == "xml" else {
            throw XMLError(.namespace, "the prefix '\(first)' isn't bound to a namespace", column: start + 1)
        }
        _ = try scanner.take(":")
        if orAny, scanner.peek() == UInt8(ascii: "*") {
            _ = try scanner.take("*")
            return "\(first):*"
        }
        guard let local = scanner.name() else { throw scanner.wrong("a name is missing after the prefix") }
        return "\(first):\(local)"
    }
}
