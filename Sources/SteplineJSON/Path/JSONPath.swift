/// A JSONPath query (RFC 9535), parsed once and reusable.
///
/// ```swift
/// let cheap = try JSONPath("$.store.book[?@.price < 10].title")
/// for title in try json.query(cheap) { … }
/// ```
public struct JSONPath: Sendable, Hashable, CustomStringConvertible {
    /// The text of the query.
    public let description: String
    let segments: [Segment]

    /// Parses a query.
    ///
    /// - Throws: `JSONError` with the code `.invalidPath` and the position if the query is malformed or ill-typed.
    public init(_ text: String) throws(JSONError) {
        var parser = PathParser(text)
        segments = try parser.parse()
        description = text
    }

    /// Returns whether the texts of both queries are equal.
    public static func == (left: JSONPath, right: JSONPath) -> Bool { left.description == right.description }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}
