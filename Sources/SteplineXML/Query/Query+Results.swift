extension XML.Query where Result == [XML.Node] {
    /// A query for all found nodes in document order.
    public static func nodes(_ expression: String) -> Self {
        Self(expression) { (value) throws(XMLError) in try value.matches(of: expression).compactMap(\.node) }
    }
}

extension XML.Query where Result == [XML.Element] {
    /// A query for all found elements in document order, without other nodes.
    public static func elements(_ expression: String) -> Self {
        Self(expression) { (value) throws(XMLError) in
            try value.matches(of: expression).compactMap { $0.node?.element }
        }
    }
}

extension XML.Query where Result == XML.Element? {
    /// A query for the first found element in document order.
    public static func first(_ expression: String) -> Self {
        Self(expression) { (value) throws(XMLError) in
            for match in try value.matches(of: expression) {
                if let element = match.node?.element { return element }
            }
            return nil
        }
    }
}

extension XML.Query where Result == [String] {
    /// A query for the texts of all found nodes in document order; a scalar result gives a list of one.
    public static func strings(_ expression: String) -> Self {
        Self(expression) { (value) throws(XMLError) in
            guard case .matches(let matches) = value else { return [value.text].compactMap(\.self) }
            return matches.map(\.text)
        }
    }
}

extension XML.Query where Result == String? {
    /// A query for the text of the first found node or of a scalar result; nil if nothing is found.
    public static func string(_ expression: String) -> Self {
        Self(expression) { (value) throws(XMLError) in value.text }
    }
}

extension XML.Query where Result == Double? {
    /// A query for a number, or the first node's text as a number; nil if nothing is found or it isn't a number.
    public static func number(_ expression: String) -> Self {
        Self(expression) { (value) throws(XMLError) in
            let number: Double? =
                switch value {
                case .number(let number): number
                case .bool(let truth): truth ? 1 : 0
                case .string, .matches: value.text.flatMap { ScalarText.value($0) }
                }
            return number.flatMap { $0.isNaN ? nil : $0 }
        }
    }
}

extension XML.Query where Result == Bool {
    /// A query for a boolean by XPath's rules: nodes are found, a text isn't empty, a number isn't zero.
    public static func bool(_ expression: String) -> Self {
        Self(expression) { (value) throws(XMLError) in
            switch value {
            case .bool(let truth): truth
            case .number(let number): number != 0 && !number.isNaN
            case .string(let text): !text.isEmpty
            case .matches(let matches): !matches.isEmpty
            }
        }
    }
}

extension QueryValue {
    /// The value as a text, with numbers in XPath's format; nil for an empty list of nodes.
    var text: String? {
        switch self {
        case .string(let text): return text
        case .bool(let truth): return truth ? "true" : "false"
        case .matches(let matches): return matches.first?.text
        case .number(let number): return QueryNumber.text(number)
        }
    }
}
