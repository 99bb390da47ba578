extension XML.Query where Result == [XML.Node] {
    /// All nodes found, in document order.
    public static func nodes(_ expression: String) -> Self {
        Self(expression) { (value) throws(XMLError) in try value.matches(of: expression).compactMap(\.node) }
    }
}

extension XML.Query where Result == [XML.Element] {
    /// All elements found, in document order; other nodes are left out.
    public static func elements(_ expression: String) -> Self {
        Self(expression) { (value) throws(XMLError) in
            try value.matches(of: expression).compactMap { $0.node?.element }
        }
    }
}

extension XML.Query where Result == XML.Element? {
    /// The first element found, in document order.
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
    /// The texts of all nodes found, in document order; a text, number or truth is a list of one.
    public static func strings(_ expression: String) -> Self {
        Self(expression) { (value) throws(XMLError) in
            guard case .matches(let matches) = value else { return [value.text].compactMap(\.self) }
            return matches.map(\.text)
        }
    }
}

extension XML.Query where Result == String? {
    /// The text of the first node found, or the expression's own text; nil if nothing is found.
    public static func string(_ expression: String) -> Self {
        Self(expression) { (value) throws(XMLError) in value.text }
    }
}

extension XML.Query where Result == Double? {
    /// The number, or the first node's text as one; nil if nothing is found or it isn't a number.
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
    /// The truth as XPath has it: whether anything is found, a text isn't empty, a number isn't zero.
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
    /// The value as a text, numbers the way XPath writes them; nil for an empty list of nodes.
    var text: String? {
        switch self {
        case .string(let text): return text
        case .bool(let truth): return truth ? "true" : "false"
        case .matches(let matches): return matches.first?.text
        case .number(let number): return QueryNumber.text(number)
        }
    }
}
