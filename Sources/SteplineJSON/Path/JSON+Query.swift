extension JSON {
    /// How much a query may do before it ends in `.tooLarge`, unless said otherwise.
    ///
    /// A value looked at is one, and so is a step of a regular expression (a character of the text times the
    /// places that the pattern has then reached), a pair of values compared, and sixteen bytes of a text.
    public static let defaultQueryBudget = 100_000_000

    /// The values that a JSONPath (RFC 9535) leads to from here, in order.
    ///
    /// `$` is this value. No match is an empty list; a malformed query is an `.invalidPath` with its place.
    public func query(_ path: String) throws(JSONError) -> [JSON] { try query(JSONPath(path)) }

    /// The values that a JSONPath leads to from here, in order; `.tooLarge` if that takes more than
    /// `budget`.
    public func query(_ path: JSONPath, budget: Int = JSON.defaultQueryBudget) throws(JSONError) -> [JSON] {
        var evaluator = PathEvaluator(self, budget: budget)
        return try evaluator.nodes(path.segments, from: index).map { JSON(tape: tape, index: $0) }
    }

    /// The values that a JSONPath leads to, and where they are.
    public func matches(_ path: JSONPath, budget: Int = JSON.defaultQueryBudget) throws(JSONError)
        -> [JSONPath.Match]
    {
        try query(path, budget: budget).map { JSONPath.Match(value: $0, root: self) }
    }

    /// The normalized paths of the values that a JSONPath leads to, quicker than those of the matches one by
    /// one.
    public func paths(_ path: JSONPath, budget: Int = JSON.defaultQueryBudget) throws(JSONError) -> [String] {
        var whereabouts = Whereabouts(tape, root: index)
        return try query(path, budget: budget).map { NormalizedPath.text(whereabouts.steps(to: $0.index)) }
    }

    /// The value at a JSON Pointer (`/items/0`) or the first match of a JSONPath (`$.items[0]`); `.notFound`
    /// if there is none.
    public func value(at path: String) throws(JSONError) -> JSON { try ValuePath(path).value(in: self) }
}
