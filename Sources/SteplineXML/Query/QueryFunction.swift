/// The core functions of XPath 1.0, its node types and axes.
struct QueryFunction {
    /// The valid numbers of arguments.
    let arguments: ClosedRange<Int>

    /// Creates the description of a function; nil if it doesn't exist.
    init?(_ name: String) {
        switch name {
        case "last", "position", "true", "false": arguments = 0...0
        case "local-name", "namespace-uri", "name", "string", "string-length", "normalize-space", "number":
            arguments = 0...1
        case "count", "id", "boolean", "not", "lang", "sum", "floor", "ceiling", "round": arguments = 1...1
        case "starts-with", "contains", "substring-before", "substring-after": arguments = 2...2
        case "substring": arguments = 2...3
        case "translate": arguments = 3...3
        case "concat": arguments = 2...Int.max
        default: return nil
        }
    }

    static func isNodeType(_ name: String) -> Bool {
        ["text", "comment", "node", "processing-instruction"].contains(name)
    }

    static func isAxis(_ name: String) -> Bool {
        [
            "ancestor", "ancestor-or-self", "attribute", "child", "descendant", "descendant-or-self",
            "following",
            "following-sibling", "namespace", "parent", "preceding", "preceding-sibling", "self",
        ].contains(name)
    }
}
