extension XML {
    /// An XPath 1.0 expression with the type of its result.
    ///
    /// Created by ``Query/strings(_:)``, ``Query/elements(_:)``, ``Query/first(_:)`` and others. Creation never fails;
    /// ``Query/check(namespaces:)`` reports errors of the expression early.
    public struct Query<Result: Sendable>: Sendable {
        /// The expression.
        public let expression: String

        let extract: @Sendable (QueryValue) throws(XMLError) -> Result

        init(_ expression: String, _ extract: @escaping @Sendable (QueryValue) throws(XMLError) -> Result) {
            self.expression = expression
            self.extract = extract
        }

        /// Checks the expression without a document.
        ///
        /// XPath 1.0 has no default namespace: names without a prefix have none.
        ///
        /// - Throws: An ``XMLError`` if the expression has bad syntax, an unbound prefix, an unknown function, or is
        ///   too complex. Its column is the position in the expression.
        public func check(namespaces: [String: String] = [:]) throws(XMLError) {
            try QueryEvaluator.check(expression, namespaces: namespaces)
        }
    }

    /// The value of a query variable `$name`.
    public enum Value: Sendable, Hashable {
        /// A text.
        case string(String)
        /// A number.
        case number(Double)
        /// A boolean.
        case bool(Bool)
    }
}

extension XML.Value: ExpressibleByStringLiteral, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral
{
    /// Creates a text.
    public init(stringLiteral value: String) { self = .string(value) }

    /// Creates a number.
    public init(floatLiteral value: Double) { self = .number(value) }

    /// Creates a number.
    public init(integerLiteral value: Int) { self = .number(Double(value)) }

    /// Creates a boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

/// The result of libxml2.
enum QueryValue {
    enum Match {
        case node(XML.Node)
        /// A namespace node, which has no equivalent in our tree.
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
