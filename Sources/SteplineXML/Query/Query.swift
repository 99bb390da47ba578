extension XML {
    /// An XPath 1.0 expression with the type of its result.
    ///
    /// Made by ``Query/strings(_:)``, ``Query/elements(_:)``, ``Query/first(_:)`` and so on. Making one can't fail;
    /// ``Query/check(namespaces:)`` tells early what evaluating would.
    public struct Query<Result: Sendable>: Sendable {
        /// The expression.
        public let expression: String

        let extract: @Sendable (QueryValue) throws(XMLError) -> Result

        init(_ expression: String, _ extract: @escaping @Sendable (QueryValue) throws(XMLError) -> Result) {
            self.expression = expression
            self.extract = extract
        }

        /// Throws what is wrong with the expression: bad syntax, an unbound prefix, an unknown function, too much of it.
        ///
        /// The error's column is the place in the expression. XPath 1.0 has no default namespace: names without a
        /// prefix are in none.
        public func check(namespaces: [String: String] = [:]) throws(XMLError) {
            try QueryEvaluator.check(expression, namespaces: namespaces)
        }
    }

    /// What a query's `$name` stands for.
    public enum Value: Sendable, Hashable {
        /// A text.
        case string(String)
        /// A number.
        case number(Double)
        /// A truth.
        case bool(Bool)
    }
}

extension XML.Value: ExpressibleByStringLiteral, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral
{
    /// Makes a text.
    public init(stringLiteral value: String) { self = .string(value) }

    /// Makes a number.
    public init(floatLiteral value: Double) { self = .number(value) }

    /// Makes a number.
    public init(integerLiteral value: Int) { self = .number(Double(value)) }

    /// Makes a truth.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

/// What libxml2 found.
enum QueryValue {
    enum Match {
        case node(XML.Node)
        /// A namespace node has no counterpart in our tree.
        case namespace(String)

        var text: String {
            switch self {
            case .node(let node): node.text
            case .namespace(let uri): uri
            }
        }

        var node: XML.Node? {
            guard case .node(let node) = self else { return nil }
            return node
        }
    }

    case matches([Match])
    case string(String)
    case number(Double)
    case bool(Bool)

    func matches(of expression: String) throws(XMLError) -> [Match] {
        guard case .matches(let matches) = self else {
            throw XMLError(.query, "the result of '\(expression)' isn't a list of nodes")
        }
        return matches
    }
}
