extension JSON {
    /// The default limit on the effort of a query; exceeding it is the error `.tooLarge`.
    ///
    /// Each examined value costs 1, as does each compared pair of values and each 16 bytes of a text. A step of a
    /// regular expression costs 1 for each place of the pattern that is reached.
    public static let defaultQueryBudget = 100_000_000

    /// Returns the values that a JSONPath (RFC 9535) matches, in order.
    ///
    /// `$` is this value. The list is empty if nothing matches.
    ///
    /// - Throws: `JSONError` with the code `.invalidPath` and the position if the query is malformed, or `.tooLarge` if
    ///   the query exceeds ``defaultQueryBudget``.
    public func query(_ path: String) throws(JSONError) -> [JSON] { try query(JSONPath(path)) }

    /// Returns the values that a JSONPath matches, in order.
    ///
    /// - Throws: `JSONError` with the code `.tooLarge` if the query exceeds `budget`.
    public func query(_ path: JSONPath, budget: Int = JSON.defaultQueryBudget) throws(JSONError) -> [JSON] {
        var evaluator = PathEvaluator(self, budget: budget)
        return try evaluator.nodes(path.segments, from: index).map { JSON(tape: tape, index: $0) }
    }

    /// Returns the value at a JSON Pointer (`/items/0`), or the first match of a JSONPath (`$.items[0]`).
    ///
    /// - Throws: `JSONError` with the code `.notFound` if nothing matches, or `.invalidPath` if `path` is malformed.
    public func value(at path: String) throws(JSONError) -> JSON { try ValuePath(path).value(in: self) }
}
